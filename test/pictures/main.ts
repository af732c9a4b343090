import {readdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {makePictures} from './make-pictures.js';
import {picturesFolder} from './read-scenes.js';

const pictures = await makePictures();
for (const name of await readdir(picturesFolder))
  if (name.endsWith('.svg') && !pictures.has(name)) await rm(join(picturesFolder, name));
for (const [name, svg] of pictures) {
  await writeFile(join(picturesFolder, name), svg);
  process.stdout.write(`docs/pictures/${name}  ${(Buffer.byteLength(svg) / 1000).toFixed(1)} kB\n`);
}
