// Written by `cairn install`, taken out by `cairn uninstall`.
//
// Each finished call of a tool is handed to cairn, and a shorter text takes the
// place of its output. Whatever goes wrong, the output stays as it was.
import { spawn } from "node:child_process"

const cairn = "@binary@"
const limit = "@timeout@" // milliseconds

// ask returns what cairn prints for an event.
const ask = (event) =>
  new Promise((resolve, reject) => {
    const child = spawn(cairn, ["hook", "@host@"], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    const stop = () => {
      child.kill("SIGKILL")
      reject()
    }
    setTimeout(stop, limit).unref()
    let answer = ""
    child.stdout.setEncoding("utf8").on("data", (text) => (answer += text))
    child.stdin.on("error", reject)
    child.on("error", reject)
    child.on("close", () => resolve(answer))
    child.stdin.end(JSON.stringify(event))
  })

