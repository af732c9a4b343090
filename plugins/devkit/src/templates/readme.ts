import type {NewPlugin} from '../new-plugin.js';

/** The README.md of a new plugin, which says what it adds, needs and reaches for. */
export function readme({name, noun, snake, kinds}: NewPlugin): string {
  const counts = kinds.has('tool') || kinds.has('command') || kinds.has('service');
  const adds: readonly (string | false)[] = [
    kinds.has('tool') && `- tool \`${snake}_count\`: counts the words and lines of one text file`,
    kinds.has('command') && `- \`gemini ${noun} count <file>\`: the same for people`,
    kinds.has('service') && `- service \`${noun}\`: the same for other plugins ([contract](src/contract.ts))`,
    kinds.has('service') && kinds.has('hook') && `- moment \`${noun}:counted\`: the words of a file were counted`,
    kinds.has('hook') && '- a judge of tool calls: files called `*.generated.*` are not changed',
  ];
  const tries: readonly (string | false)[] = [
    'gemini plugins test',
    'gemini plugins link .',
    kinds.has('tool') && `gemini tools call ${snake}_count file_path=README.md`,
    kinds.has('command') && `gemini ${noun} count README.md`,
    kinds.has('hook') && 'gemini tools call write_file file_path=a.generated.txt content=x',
  ];
  const lines = (all: readonly (string | false)[]): string => all.filter((line) => line !== false).join('\n');
  return `# ${name}

${counts ? 'Counts the words of files.' : 'Keeps generated files as they are.'}

## Adds

${lines(adds)}

## Needs

${counts ? 'The service `workspace`.' : 'Nothing.'}

## Capabilities

${counts ? '`fs:read`: it reads the files whose words it counts.' : 'None.'}

## Try it

\`\`\`sh
${lines(tries)}
\`\`\`
`;
}
