import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {createHost} from './create-host.js';
import {createPluginImport} from './plugin-import.js';
import type {RunParts} from './run-command.js';
import type {Start} from './start.js';

/** Makes what a command runs with. No plugin is imported yet. */
export function prepareRun(start: Start): RunParts {
  const {root} = start.program;
  const importFile = createPluginImport(start);
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  return {root, pjson, importFile, host: createHost(start, {root, pjson, importFile})};
}
