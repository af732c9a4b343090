import type {Plan} from './plan.js';

/** What a plan lets happen without a question, a line each. */
export function needsOf({mode, allow, isTrusted, isConfined, effects}: Plan): readonly string[] {
  return [
    ...(mode === 'auto_edit' ? ['files of each checkout are edited'] : []),
    ...allow.map((tool) => `runs without a question: ${tool}`),
    ...(isTrusted ? ['each repository is trusted: its settings, hooks and MCP servers count'] : []),
    ...(isConfined ? [] : ['commands are not confined (sandbox = false)']),
    ...effects.map((effect) =>
      effect.kind === 'push'
        ? `each branch is pushed to ${effect.remote ?? 'the repository that it comes from'}`
        : `for each task that is done: ${effect.run.join(' ')}`,
    ),
  ];
}
