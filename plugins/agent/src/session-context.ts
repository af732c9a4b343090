import {readdir} from 'node:fs/promises';
import {arch, release, type} from 'node:os';
import {join} from 'node:path';
import {makeVisible} from '@gemini-kernel/command/visible';
import type {Root, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {ContextSection} from './contract.js';

const ITEMS = 200;
/** Folders whose content is not relevant to a project. */
const CLOSED = new Set(['node_modules', '.git', 'dist', '__pycache__']);

/** Where the conversation takes place: the folders and their file names. */
export async function describeDirectories(workspace: Workspace, withTree: boolean): Promise<string> {
  const roots = await workspace.roots();
  const list = ['- **Workspace Directories:**', ...roots.map(({path}) => `  - ${path}`)];
  if (!withTree) return list.join('\n');
  const trees = await Promise.all(roots.map((root) => drawTree(root, workspace)));
  return [...list, '- **Directory Structure:**', '', ...trees].join('\n');
}

/** The first message of a conversation. */
export async function describeSession(
  place: {readonly workspace: Workspace; readonly temporary: string | undefined; readonly withTree: boolean},
  sections: readonly ContextSection[],
): Promise<string> {
  return [
    '<session_context>',
    'This is the setting of the conversation. There is no request yet.',
    `- **Date:** ${describeDate(new Date())}`,
    `- **Operating system:** ${type()} ${release()} (${arch()})`,
    ...(place.temporary ? [`- **Temporary directory of the project:** ${place.temporary}`] : []),
    await describeDirectories(place.workspace, place.withTree),
    ...sections.filter(({text}) => text.trim() !== '').map(({text}) => `\n${text}`),
    '</session_context>',
  ].join('\n');
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The local date and its weekday; the formatter of the runtime would take 15 ms to load. */
function describeDate(date: Date): string {
  const digits = (value: number): string => String(value).padStart(2, '0');
  return `${DAYS[date.getDay()] ?? ''}, ${date.getFullYear()}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
}

interface Folder {
  readonly path: string;
  readonly children: (Folder | string)[];
  isCut: boolean;
}

/** The nearest names of a root, level by level until there are enough, then as a tree. */
async function drawTree(root: Root, workspace: Workspace): Promise<string> {
  const top: Folder = {path: root.path, children: [], isCut: false};
  let room = ITEMS;
  for (let level = [top]; level.length > 0 && room > 0;) {
    const deeper: Folder[] = [];
    for (const folder of level) {
      room -= await fill(folder, {workspace, room});
      deeper.push(
        ...folder.children.filter(
          (child): child is Folder => typeof child !== 'string' && !CLOSED.has(nameOf(child.path)),
        ),
      );
      if (room <= 0) break;
    }
    for (const folder of deeper) if (room <= 0) folder.isCut = true;
    level = room > 0 ? deeper : [];
  }
  return [root.path, ...draw(top, '')].join('\n');
}

/** Adds names to a folder; gives how many. */
async function fill(folder: Folder, {workspace, room}: {workspace: Workspace; room: number}): Promise<number> {
  const entries = await readdir(folder.path, {withFileTypes: true}).catch((): undefined => {
    // It may be deleted or unreadable: the tree shows its name.
    folder.isCut = true;
    return undefined;
  });
  if (!entries) return 0;
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, room * 4);
  const isIgnored = await workspace.ignored(sorted.map(({name}) => join(folder.path, name)));
  const kept = sorted.filter((_, index) => !isIgnored[index]);
  const shown = [...kept.filter((entry) => !entry.isDirectory()), ...kept.filter((entry) => entry.isDirectory())].slice(
    0,
    room,
  );
  folder.isCut = shown.length < kept.length;
  for (const entry of shown)
    folder.children.push(
      entry.isDirectory()
        ? {path: join(folder.path, entry.name), children: [], isCut: CLOSED.has(entry.name)}
        : entry.name,
    );
  return shown.length;
}

function draw(folder: Folder, indent: string): readonly string[] {
  const items = [...folder.children, ...(folder.isCut ? ['...'] : [])];
  return items.flatMap((item, index) => {
    const isLast = index === items.length - 1;
    const branch = `${indent}${isLast ? '└───' : '├───'}`;
    if (typeof item === 'string') return [`${branch}${makeVisible(item)}`];
    return [`${branch}${makeVisible(nameOf(item.path))}/`, ...draw(item, `${indent}${isLast ? '    ' : '│   '}`)];
  });
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
