// In parts: the build of this program would replace it, here in a text too.
const URL_OF_MODULE = `import.meta.${'url'}`;

/** Where the files of the extension are. */
export const PLACE = `import {fileURLToPath} from 'node:url';

/** The files of the extension. */
export const folder = fileURLToPath(new URL('../extension', ${URL_OF_MODULE}));
`;

/** Fills variables into an entry of a server. */
export const FILL = `import {sep} from 'node:path';

const NAMED = /\\$\\{(extensionPath|workspacePath|\\/|pathSeparator)\\}/;
const ANY = new RegExp(\`\${NAMED.source}|\\\\$(?:([A-Za-z_]\\\\w*)|\\\\{([A-Za-z_]\\\\w*)(?::-([^}]*))?\\\\})\`, 'g');

/** A server with its variables filled in; unknown ones stay as they are written. */
export function fillServer(server, {places, known, values}) {
  const filled = fill(server, {...places, '/': sep, pathSeparator: sep}, known);
  return filled.command === undefined ? filled : {...filled, env: {...values, ...filled.env}};
}

function fill(value, places, known) {
  if (Array.isArray(value)) return value.map((one) => fill(one, places, known));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, places, known)]));
  if (typeof value !== 'string') return value;
  return value.replace(ANY, (found, place, bare, braced, standard) =>
    place === undefined ? (known[bare ?? braced] ?? standard ?? found) : places[place],
  );
}
`;

/** Writes variables as the shell of the platform has them. */
export const SHELL = `import {sep} from 'node:path';

/** Hooks for the shell of a platform, which puts the variables in. */
export function toShell(value, platform) {
  if (Array.isArray(value)) return value.map((one) => toShell(one, platform));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toShell(one, platform)]));
  if (typeof value !== 'string') return value;
  const plain = value.replaceAll('\${/}', sep).replaceAll('\${pathSeparator}', sep);
  return platform === 'win32' ? plain.replace(/\\$\\{(extensionPath|workspacePath)\\}/g, '$\${env:$1}') : plain;
}
`;
