import {findCommands} from './find-commands.js';
import type {ProjectFolder} from './project-folder.js';

/** What other agents read, as far as it can be imported. */
const OTHERS = ['AGENTS.md', 'CLAUDE.md', '.cursorrules', '.windsurfrules', '.clinerules'];
/** Files that say how code is written here. */
const CONVENTIONS = [
  ...[
    '.editorconfig',
    '.prettierrc',
    '.prettierrc.json',
    'prettier.config.js',
    'eslint.config.js',
    'eslint.config.mjs',
  ],
  ...['.eslintrc.json', 'biome.json', 'ruff.toml', 'rustfmt.toml', '.clang-format', '.golangci.yml', 'CONTRIBUTING.md'],
];
const HIDDEN = /^\.|^(?:node_modules|dist|build|out|target|vendor|coverage|__pycache__)$/;
const MOST_FOLDERS = 20;

/** A context file for a project, from what its files say. `name`: the file itself, which is not imported. */
export async function composeContext(folder: ProjectFolder, name: string): Promise<string> {
  const {title, about} = await describe(folder);
  const commands = await findCommands(folder);
  const conventions = CONVENTIONS.filter((one) => folder.files.has(one));
  const folders = folder.folders.filter((one) => !HIDDEN.test(one)).slice(0, MOST_FOLDERS);
  const others = OTHERS.filter((one) => one !== name && folder.files.has(one));
  return [
    `# ${title}`,
    ...(about === '' ? [] : [about]),
    ...section(
      'Commands',
      commands.map(({command, about: what}) => `- \`${command}\`${what === '' ? '' : `: ${what}`}`),
    ),
    ...section(
      'Layout',
      folders.map((one) => `- \`${one}/\``),
    ),
    ...section(
      'Conventions',
      conventions.map((one) => `- \`${one}\` decides.`),
    ),
    ...section(
      'From other agents',
      others.map((one) => `@${one}`),
    ),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
}

async function describe(folder: ProjectFolder): Promise<{readonly title: string; readonly about: string}> {
  const readme = folder.first('README.md', 'readme.md', 'README');
  const text = readme === undefined ? '' : await folder.read(readme);
  const heading = /^#\s+(.+)$/m.exec(text)?.[1]?.trim();
  const paragraph = text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => /^[A-Za-z]/.test(part) && !part.startsWith('http'));
  const {name, description} = folder.files.has('package.json') ? await folder.readJSON('package.json') : {};
  const fallback = folder.path.split(/[\\/]/).at(-1) ?? 'Project';
  const about = typeof description === 'string' && description !== '' ? description : (paragraph ?? '');
  return {title: heading ?? (typeof name === 'string' ? name : fallback), about: shorten(about.replace(/\s+/g, ' '))};
}

function shorten(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
