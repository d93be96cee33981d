let directory

export default {
  name: "cairn",
  manifest: { capabilities: ["hooks"] },
  setup(_, context) {
    directory = context?.workspaceInfo?.rootPath
  },
  hooks: {
    async afterTool({ toolCall, input, result, snapshot }) {
      try {
        const answer = JSON.parse(await ask({
          event: "afterTool", session: snapshot?.conversationId, cwd: directory,
          tool: toolCall.toolName, input, output: result.output,
        }))
        if (Array.isArray(answer?.output)) return { result: { ...result, output: answer.output } }
      } catch {}
    },
  },
}
