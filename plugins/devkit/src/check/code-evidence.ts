/** A use in compiled code that needs a capability: any one of `needs` is enough. */
export interface Evidence {
  readonly needs: readonly string[];
  /** The use, and where it is. */
  readonly by: string;
}

const WRITES =
  /^(writeFile|appendFile|mkdir|mkdtemp|rm|rmdir|unlink|rename|copyFile|cp|symlink|link|f?truncate|[lf]?chmod|[lf]?chown|[lf]?utimes|write|writev|createWriteStream)(Sync)?$/;
const EITHER = /^(open|openSync|promises|default)$/;
const HARMLESS = /^(constants|[A-Z]\w*)$/;
const MODULES: Readonly<Record<string, readonly string[]>> = {
  child_process: ['process'],
  cluster: ['process'],
  worker_threads: [],
  net: ['net'],
  tls: ['net'],
  http: ['net'],
  https: ['net'],
  http2: ['net'],
  dns: ['net'],
  'dns/promises': ['net'],
  dgram: ['net'],
  undici: ['net'],
  ws: ['net'],
};
const IMPORT =
  /\bimport\s+([^'";]*?)\s*from\s*['"](?:node:)?([\w/.@-]+)['"]|\b(?:import|require)\(\s*['"](?:node:)?([\w/.@-]+)['"]\s*\)/g;
const VARIABLE = /\b(?:process\.env|variables)(?:\.([A-Za-z_]\w*)|\[\s*['"]([^'"]+)['"]\s*\])/g;

/**
 * The Node modules, network calls and environment variables that a compiled file uses. Ignores comments; obfuscated
 * uses are not seen.
 */
export function readEvidence(file: string, text: string): readonly Evidence[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g, '$1');
  return [...readImports(file, code), ...readFetches(file, code), ...readVariables(file, code)];
}

function readImports(file: string, code: string): readonly Evidence[] {
  return [...code.matchAll(IMPORT)].flatMap(([, clause = '*', from, dynamic = '']) => {
    const module = from ?? dynamic;
    if (module === 'fs' || module === 'fs/promises')
      return readFileUse(clause, code).map((needs) => ({needs, by: `${file} imports node:${module}`}));
    return MODULES[module]?.length ? [{needs: MODULES[module], by: `${file} imports ${module}`}] : [];
  });
}

function readFetches(file: string, code: string): readonly Evidence[] {
  const isCalled = /(?<![.\w$])(?:globalThis\.)?fetch\(|\bnew (?:WebSocket|EventSource)\(/.test(code);
  const isItsOwn = /\bfunction fetch\b|\bconst fetch\b|[{,]\s*fetch\s*[,}]/.test(code);
  return isCalled && !isItsOwn ? [{needs: ['net'], by: `${file} calls fetch`}] : [];
}

function readVariables(file: string, code: string): readonly Evidence[] {
  const named = [...code.matchAll(VARIABLE)].map(([, plain, quoted]) => plain ?? quoted ?? '');
  const isWhole = /\bprocess\.env\b(?!\s*[.[])/.test(code) || /\bprocess\.env\[\s*[^'"\s]/.test(code);
  return [
    ...named.map((name) => ({needs: [`env:${name}`], by: `${file} reads the variable ${name}`})),
    ...(isWhole ? [{needs: ['env:*'], by: `${file} reads process.env`}] : []),
  ];
}

/** By the imported functions; for a whole module, by those that are called. */
function readFileUse(clause: string, code: string): readonly (readonly string[])[] {
  const named = /\{([^}]*)\}/
    .exec(clause)?.[1]
    ?.split(',')
    .map((one) => one.trim().split(/\s+as\s+/)[0] ?? '')
    .filter((name) => name !== '');
  if (!named)
    return /\b(?:writeFile|appendFile|mkdir|rm|unlink|rename|copyFile)(?:Sync)?\(/.test(code)
      ? [['fs:write']]
      : [['fs:read', 'fs:write']];
  const names = named.filter((name) => !HARMLESS.test(name));
  const isWrite = names.some((name) => WRITES.test(name));
  const isRead = names.some((name) => !WRITES.test(name) && !EITHER.test(name));
  if (!isWrite && !isRead) return names.length > 0 ? [['fs:read', 'fs:write']] : [];
  return [...(isRead ? [['fs:read']] : []), ...(isWrite ? [['fs:write']] : [])];
}
