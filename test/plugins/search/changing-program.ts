import {appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, unlinkSync, writeFileSync} from 'node:fs';

// Makes, changes, renames and removes files and directories below one, over and over, until it is killed, or a minute
// later: who started it may be gone.
const [root = ''] = process.argv.slice(2);
const text = 'needle that moves\n'.repeat(2000);
process.send?.('ready');
const end = Date.now() + 60_000;
for (let round = 0; Date.now() < end; round += 1) {
  const folder = `${root}/changing/d${round % 7}`;
  mkdirSync(`${folder}/deep`, {recursive: true});
  for (const name of ['a', 'b', 'deep/c']) writeFileSync(`${folder}/${name}`, text);
  truncateSync(`${folder}/a`, 100);
  appendFileSync(`${folder}/a`, 'needle at the end\n');
  renameSync(`${folder}/b`, `${folder}/renamed`);
  unlinkSync(`${folder}/a`);
  rmSync(`${root}/changing/moved`, {recursive: true, force: true});
  renameSync(folder, `${root}/changing/moved`);
  writeFileSync(`${root}/changing/.gitignore`, round % 2 === 0 ? 'moved/\n' : '!moved/\n');
  // What was a file becomes a directory, and the other way round.
  rmSync(`${root}/changing/both`, {recursive: true, force: true});
  if (round % 2 === 0) mkdirSync(`${root}/changing/both`);
  else writeFileSync(`${root}/changing/both`, text);
}
