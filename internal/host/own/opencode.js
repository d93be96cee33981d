// Written by `cairn install opencode`, taken out by `cairn uninstall opencode`.
//
// Each finished call of a tool is handed to cairn, and a shorter text takes the
// place of its output. Whatever goes wrong, the output stays as it was.
import { spawn } from "node:child_process"

const cairn = "@binary@"

// ask returns cairn's answer to an event, or undefined.
const ask = (event) =>
  new Promise((resolve, reject) => {
    const child = spawn(cairn, ["hook", "opencode"], {
      stdio: ["pipe", "pipe", "ignore"], timeout: 10_000, killSignal: "SIGKILL", windowsHide: true,
    })
    let answer = ""
    child.stdout.setEncoding("utf8").on("data", (text) => (answer += text))
    child.stdin.on("error", reject)
    child.on("error", reject)
    child.on("close", () => resolve(answer && JSON.parse(answer)))
    child.stdin.end(JSON.stringify(event))
  })

export const Cairn = async ({ directory }) => ({
  "tool.execute.after": async (call, result) => {
    try {
      const { output, content, metadata, attachments } = result
      const answer = await ask({
        event: "tool.execute.after", session: call.sessionID, cwd: directory,
        tool: call.tool, args: call.args, output, content, attachments: attachments?.length,
        exit: metadata?.exit, outputPath: metadata?.outputPath,
      })
      if (typeof answer?.output === "string") result.output = answer.output
      if (Array.isArray(answer?.content)) result.content = answer.content
    } catch {}
  },
})
