import {makeFolder} from './make-plugin.js';
import {runGemini} from './run-gemini.js';

/** The schema that `gemini settings schema` prints: every setting of the product, those of its plugins included. */
export async function readSettingsSchema(): Promise<unknown> {
  await using home = await makeFolder();
  const {stdout} = await runGemini(['settings', 'schema'], {cwd: home.path, home: home.path});
  return JSON.parse(stdout);
}
