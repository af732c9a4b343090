import type {ProjectFolder} from './project-folder.js';

/** A command of the project, and what it is for. */
export interface ProjectCommand {
  readonly command: string;
  readonly about: string;
}

type Find = (folder: ProjectFolder) => Promise<readonly ProjectCommand[]>;

const MOST_TARGETS = 15;
/** Scripts that every change needs, in the order in which they are listed. */
const USUAL = ['build', 'test', 'lint', 'typecheck', 'check', 'format', 'dev', 'start'];

/** The commands that a project declares, by the files that build tools read. */
export async function findCommands(folder: ProjectFolder): Promise<readonly ProjectCommand[]> {
  const found: ProjectCommand[] = [];
  for (const [file, commands] of Object.entries(fixed))
    if (folder.files.has(file)) found.push(...commands.map(([command, about]) => ({command, about})));
  for (const [file, find] of Object.entries(finders)) if (folder.files.has(file)) found.push(...(await find(folder)));
  return found;
}

/** Tools whose commands are the same in every project. */
const fixed: Readonly<Record<string, readonly (readonly [command: string, about: string])[]>> = {
  'deno.json': [
    ['deno test', 'tests'],
    ['deno lint', 'lint'],
  ],
  'Cargo.toml': [
    ['cargo build', 'build'],
    ['cargo test', 'tests'],
    ['cargo clippy', 'lint'],
    ['cargo fmt', 'format'],
  ],
  'go.mod': [
    ['go build ./...', 'build'],
    ['go test ./...', 'tests'],
    ['go vet ./...', 'lint'],
  ],
  'setup.py': [['python -m pytest', 'tests']],
  'CMakeLists.txt': [
    ['cmake -B build && cmake --build build', 'build'],
    ['ctest --test-dir build', 'tests'],
  ],
  'composer.json': [
    ['composer install', 'install'],
    ['composer test', 'tests'],
  ],
  Gemfile: [
    ['bundle install', 'install'],
    ['bundle exec rake', 'default task'],
  ],
  'mix.exs': [
    ['mix test', 'tests'],
    ['mix format', 'format'],
  ],
};

const finders: Readonly<Record<string, Find>> = {
  'package.json': findScripts,
  'pyproject.toml': findPython,
  'pom.xml': async (folder) => maven(folder.files.has('mvnw') ? './mvnw' : 'mvn'),
  'build.gradle': async (folder) => gradle(folder.files.has('gradlew') ? './gradlew' : 'gradle'),
  'build.gradle.kts': async (folder) => gradle(folder.files.has('gradlew') ? './gradlew' : 'gradle'),
  Makefile: (folder) => findTargets(folder, 'Makefile', 'make'),
  justfile: (folder) => findTargets(folder, 'justfile', 'just'),
};

function maven(program: string): readonly ProjectCommand[] {
  return [
    {command: `${program} package`, about: 'build'},
    {command: `${program} test`, about: 'tests'},
  ];
}

function gradle(program: string): readonly ProjectCommand[] {
  return [
    {command: `${program} build`, about: 'build'},
    {command: `${program} test`, about: 'tests'},
  ];
}

async function findScripts(folder: ProjectFolder): Promise<readonly ProjectCommand[]> {
  const {scripts, packageManager} = await folder.readJSON('package.json');
  const lock = folder.first('pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb');
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(packageManager))?.[1];
  const byLock = lock === undefined ? 'npm' : (/^(pnpm|yarn|bun)/.exec(lock)?.[1] ?? 'npm');
  const manager = named ?? byLock;
  const table = typeof scripts === 'object' && scripts !== null ? (scripts as Readonly<Record<string, unknown>>) : {};
  const names = Object.keys(table).filter((name) => USUAL.includes(name.split(':')[0] ?? ''));
  const order = (name: string): number => USUAL.indexOf(name.split(':')[0] ?? '');
  return names
    .sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1))
    .slice(0, MOST_TARGETS)
    .map((name) => ({
      command: name === 'test' ? `${manager} test` : `${manager} run ${name}`,
      about: oneLine(table[name]),
    }));
}

async function findPython(folder: ProjectFolder): Promise<readonly ProjectCommand[]> {
  const text = await folder.read('pyproject.toml');
  const prefix = folder.files.has('uv.lock') ? 'uv run ' : folder.files.has('poetry.lock') ? 'poetry run ' : '';
  const tools = [
    ['pytest', 'pytest', 'tests'],
    ['ruff', 'ruff check', 'lint'],
    ['mypy', 'mypy .', 'types'],
    ['black', 'black .', 'format'],
  ] as const;
  return tools.flatMap(([name, command, about]) =>
    new RegExp(String.raw`\b${name}\b`).test(text) ? [{command: prefix + command, about}] : [],
  );
}

async function findTargets(folder: ProjectFolder, file: string, program: string): Promise<readonly ProjectCommand[]> {
  const lines = (await folder.read(file)).split('\n');
  const names = lines.flatMap((line) => /^([A-Za-z][\w-]*)\s*:(?!=)/.exec(line)?.[1] ?? []);
  return [...new Set(names)].slice(0, MOST_TARGETS).map((name) => ({command: `${program} ${name}`, about: ''}));
}

function oneLine(value: unknown): string {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
