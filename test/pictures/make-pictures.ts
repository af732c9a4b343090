import {drawSvg, themes, type ThemeName} from './draw-svg.js';
import {readScenes} from './read-scenes.js';
import {recordScene} from './record-scene.js';

/** Most of the time a scene waits for its processes: two cores keep three busy. */
const AT_ONCE = 3;

/** Records every scene, and gives the pictures by the name of their file. */
export async function makePictures(): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>();
  const left = [...(await readScenes())];
  const work = async (): Promise<void> => {
    for (let scene = left.shift(); scene; scene = left.shift()) {
      const {name, title, columns} = scene;
      const {rows} = await recordScene(scene).catch((cause: unknown) => {
        throw new Error(`The scene ${name} cannot be recorded: ${cause instanceof Error ? cause.message : ''}`, {
          cause,
        });
      });
      for (const theme of Object.keys(themes) as ThemeName[])
        pictures.set(`${name}-${theme}.svg`, drawSvg({rows, columns, title}, theme));
    }
  };
  await Promise.all(Array.from({length: AT_ONCE}, work));
  return new Map([...pictures].sort(([a], [b]) => (a < b ? -1 : 1)));
}
