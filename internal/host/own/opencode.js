export const Cairn = async ({ directory }) => ({
  event: async ({ event }) => {
    const { id, parentID } = event?.properties?.info ?? {}
    if (event?.type !== "session.created" || parentID) return
    await ask({ event: event.type, session: id, cwd: directory }).catch(() => {})
  },
  "tool.execute.before": async (call, { args }) => {
    if (call.tool !== "bash" || !args?.command?.includes("commit")) return
    const event = { event: "tool.execute.before", session: call.sessionID, cwd: directory, tool: call.tool, args }
    const answer = await ask(event).then(JSON.parse).catch(() => {})
    if (typeof answer?.refuse === "string") throw new Error(answer.refuse)
  },
  "tool.execute.after": async (call, result) => {
    try {
      const { output, content, metadata, attachments } = result
      const answer = JSON.parse(await ask({
        event: "tool.execute.after", session: call.sessionID, cwd: directory,
        tool: call.tool, args: call.args, output, content, attachments: attachments?.length,
        exit: metadata?.exit, outputPath: metadata?.outputPath,
      }))
      if (typeof answer?.output === "string") result.output = answer.output
      if (Array.isArray(answer?.content)) result.content = answer.content
    } catch {}
  },
})
