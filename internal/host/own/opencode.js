export const Cairn = async ({ directory }) => ({
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
