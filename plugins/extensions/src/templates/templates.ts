import {mkdir, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {MANIFEST} from '../manifest/read-manifest.js';

type Files = Readonly<Record<string, string>>;

/** What a template adds to the manifest, and its files. */
export interface Template {
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly files?: Files;
}

const server = `// A server that answers one tool over standard input and output, without packages.
import {createInterface} from 'node:readline';

const tools = [
  {
    name: 'shout',
    description: 'Gives back a text in capital letters.',
    inputSchema: {type: 'object', required: ['text'], properties: {text: {type: 'string'}}},
  },
];

const answers = {
  initialize: ({protocolVersion}) => ({
    protocolVersion,
    capabilities: {tools: {}},
    serverInfo: {name: 'shout', version: '1.0.0'},
  }),
  'tools/list': () => ({tools}),
  'tools/call': ({arguments: {text}}) => ({content: [{type: 'text', text: String(text).toUpperCase()}]}),
  ping: () => ({}),
};

for await (const line of createInterface({input: process.stdin})) {
  const {id, method, params = {}} = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const result = answer ? {result: answer(params)} : {error: {code: -32601, message: \`Unknown method: \${method}\`}};
  process.stdout.write(\`\${JSON.stringify({jsonrpc: '2.0', id, ...result})}\\n\`);
}
`;

const guard = `// Refuses commands that would publish something.
let text = '';
for await (const piece of process.stdin) text += piece;
const {tool_input: input = {}} = JSON.parse(text);
if (/\\bnpm publish\\b/.test(String(input.command))) {
  process.stdout.write(JSON.stringify({decision: 'deny', reason: 'Publishing is done by a person.'}));
}
`;

/** The templates of \`gemini extensions new\`. */
export const templates = {
  context: {files: {'GEMINI.md': '# How we work here\n\nSay what the model should know in every project.\n'}},
  'custom-commands': {
    files: {
      'commands/review.toml':
        'description = "Review the changes that are not committed"\n' +
        'prompt = """\nReview these changes. Name bugs first, then style.\n\n!{git diff}\n\n{{args}}\n"""\n',
    },
  },
  'exclude-tools': {manifest: {excludeTools: ['run_shell_command(rm -rf)']}},
  hooks: {
    files: {
      'hooks/hooks.json': `${JSON.stringify(
        {
          hooks: {
            BeforeTool: [
              {
                matcher: 'run_shell_command',
                hooks: [
                  {
                    type: 'command',
                    name: 'no-publish',
                    command: 'node ${extensionPath}/hooks/no-publish.mjs',
                    probe: {tool: 'run_shell_command', input: {command: 'npm publish'}, decision: 'deny'},
                  },
                ],
              },
            ],
          },
        },
        null,
        2,
      )}\n`,
      'hooks/no-publish.mjs': guard,
    },
  },
  'mcp-server': {
    manifest: {mcpServers: {shout: {command: 'node', args: ['${extensionPath}${/}server.mjs']}}},
    files: {'server.mjs': server},
  },
  policies: {
    files: {
      'policies/rules.toml':
        '# Rules of an extension only make calls stricter.\n[[rule]]\ntoolName = "run_shell_command"\n' +
        'commandPrefix = "git push"\ndecision = "ask_user"\npriority = 100\n',
    },
  },
  skills: {
    files: {
      'skills/release-notes/SKILL.md':
        '---\nname: release-notes\ndescription: Write release notes from the commits since the last tag.\n---\n\n' +
        '1. List the commits: `git log $(git describe --tags --abbrev=0)..HEAD --oneline`.\n' +
        '2. Group them by what users notice. Leave out what they do not.\n' +
        '3. Write one sentence for each, in the present tense.\n',
    },
  },
  'themes-example': {
    manifest: {
      themes: [
        {
          name: 'Paper',
          type: 'custom',
          background: {primary: '#ffffff'},
          text: {primary: '#222222', secondary: '#6b6b6b', accent: '#8a3ffc', link: '#0f62fe'},
          status: {success: '#198038', warning: '#8e6a00', error: '#da1e28'},
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, Template>>;

export type TemplateName = keyof typeof templates;
export const templateNames = Object.keys(templates) as readonly TemplateName[];

/** Writes a new extension; gives the paths of its files. Throws KernelError EXTENSION_EXISTS or EXTENSION_INVALID. */
export async function writeTemplate(folder: string, {manifest = {}, files = {}}: Template): Promise<readonly string[]> {
  const name = basename(folder);
  if (!/^[a-zA-Z0-9-]+$/.test(name))
    throw new KernelError('EXTENSION_INVALID', `An extension cannot be called ${JSON.stringify(name)}.`, {
      hint: 'Use letters, digits and dashes.',
    });
  try {
    await mkdir(dirname(folder), {recursive: true});
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new KernelError('EXTENSION_EXISTS', `${folder} exists already.`, {hint: 'Give the path of a new folder.'});
  }
  const all = {[MANIFEST]: `${JSON.stringify({name, version: '1.0.0', ...manifest}, null, 2)}\n`, ...files};
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), {recursive: true});
    await writeFile(join(folder, path), text, {flag: 'wx'});
  }
  return Object.keys(all);
}
