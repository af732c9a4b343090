import type {NewPlugin, PluginKind} from '../new-plugin.js';

/** A line, and the parts that a plugin needs for it. */
type Line = readonly [needed: readonly PluginKind[], text: string];

/** The README.md of a new plugin, with its contributions, needs and capabilities. */
export function readme({name, noun, snake, camel, kinds}: NewPlugin): string {
  const counts = kinds.has('tool') || kinds.has('command') || kinds.has('service');
  const adds: readonly Line[] = [
    [['tool'], `- tool \`${snake}_count\`: counts the words and lines of one text file`],
    [['command'], `- \`gemini ${noun} count <file>\`: the same as a command`],
    [['service'], `- service \`${noun}\`: the same for other plugins ([contract](src/contract.ts))`],
    [['service', 'hook'], `- moment \`${noun}:counted\`: the words of a file were counted`],
    [['setting'], `- setting \`${camel}.limit\`: number of words above which a file counts as long`],
    [['hook'], '- a judge of tool calls: refuses changes of `*.generated.*` files'],
  ];
  const tries: readonly Line[] = [
    [[], 'gemini plugins test'],
    [[], 'gemini plugins link .'],
    [['tool'], `gemini tools call ${snake}_count file_path=README.md`],
    [['command'], `gemini ${noun} count README.md`],
    [['hook'], 'gemini tools call write_file file_path=a.generated.txt content=x'],
  ];
  const lines = (all: readonly Line[]): string =>
    all
      .filter(([needed]) => needed.every((kind) => kinds.has(kind)))
      .map(([, text]) => text)
      .join('\n');
  return `# ${name}

${counts ? 'Counts the words of files.' : 'Protects generated files from changes.'}

## Adds

${lines(adds)}

## Needs

${kinds.has('setting') ? 'The services `settings` and `workspace`.' : counts ? 'The service `workspace`.' : 'Nothing.'}

## Capabilities

${counts ? '`fs:read`: it reads the files whose words it counts.' : 'None.'}

## Try it

\`\`\`sh
${lines(tries)}
\`\`\`
`;
}
