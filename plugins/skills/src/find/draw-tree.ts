import type {Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {makeVisible} from '@gemini-kernel/command/visible';

/** More names are not shown. */
const MOST = 200;
const CLOSED = new Set(['.git', 'node_modules', '__pycache__']);

/** The names in a folder as a tree, level by level until there are enough. Links are named, not followed. */
export async function drawTree(folder: string): Promise<string> {
  const room = {left: MOST};
  return [`${folder}/`, ...(await drawBelow(folder, '', room))].join('\n');
}

async function drawBelow(folder: string, indent: string, room: {left: number}): Promise<readonly string[]> {
  const entries = await readdir(folder, {withFileTypes: true}).catch((): readonly Dirent[] => []);
  const kept = [...entries].filter(({name}) => !CLOSED.has(name)).sort(filesFirst);
  const shown = kept.slice(0, room.left);
  room.left -= shown.length;
  const lines: string[] = [];
  for (const [index, entry] of shown.entries()) {
    const isLast = index === shown.length - 1 && shown.length === kept.length;
    const isFolder = entry.isDirectory();
    lines.push(`${indent}${isLast ? '└───' : '├───'}${makeVisible(entry.name, false)}${isFolder ? '/' : ''}`);
    if (isFolder && room.left > 0)
      lines.push(...(await drawBelow(join(folder, entry.name), `${indent}${isLast ? '    ' : '│   '}`, room)));
  }
  return shown.length < kept.length ? [...lines, `${indent}└───...`] : lines;
}

function filesFirst(a: Dirent, b: Dirent): number {
  const rank = Number(a.isDirectory()) - Number(b.isDirectory());
  return rank === 0 ? (a.name < b.name ? -1 : 1) : rank;
}
