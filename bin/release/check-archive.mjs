import {listNamedFiles} from './named-files.mjs';

/**
 * @typedef {{sentence: string, hint: string}} Failure
 * @typedef {{path: string, size: number}} PackedFile
 */

/** The largest file that an archive may hold, in bytes, except those of LARGE. */
export const MAX_FILE_SIZE = 512 * 1024;

/** Files that are known to be large, with the size that each may reach. */
const LARGE = {
  'dist/tree-sitter-bash.wasm': 2_000_000,
  'plugins/policy/dist/tree-sitter-bash.wasm': 2_000_000,
  'bin/dist/apart.cjs': 1_500_000,
  'bin/dist/host.cjs': 2_000_000,
};

/** What has no place in an archive; the first that matches counts. @type {[RegExp, string][]} */
const UNEXPECTED = [
  [/(?:^|\/)(?:tests?|__tests__|fixtures|coverage)\/|\.test\.[cm]?[jt]s$/, 'belongs to the tests'],
  [/(?:^|\/)node_modules\//, 'belongs to another package'],
  [/(?:^|\/)src\/|(?<!\.d)\.[cm]?tsx?$/, 'is a source file'],
  [/(?:^|\/)tsconfig[^/]*\.json$|\.tsbuildinfo$/, 'belongs to the build'],
  [/\.map$/, 'is a source map, and the archive does not hold its source'],
  [/\.(?:tgz|log|cache|orig|bak)$/, 'is a leftover'],
  [/\.(?:pem|key|p12)$/, 'may be a key'],
  [/(?:^|\/)\.[^/]+/, 'is a hidden file'],
];

/** @param {readonly PackedFile[]} files */
function findUnexpected(files) {
  return files.flatMap(({path, size}) => {
    const why = UNEXPECTED.find(([pattern]) => pattern.test(path))?.[1];
    if (why) return [{sentence: `The archive holds ${path}, which ${why}.`, hint: 'Exclude it in `files`.'}];
    const limit = Reflect.get(LARGE, path) ?? MAX_FILE_SIZE;
    if (size <= limit) return [];
    const hint = 'Exclude it in `files`, or allow its size in bin/release/check-archive.mjs.';
    return [{sentence: `The archive holds ${path} with ${size} bytes; ${limit} are allowed.`, hint}];
  });
}

/**
 * Whether one of the files is the one that is named.
 * @param {import('./named-files.mjs').NamedFile} named
 * @param {readonly string[]} paths
 */
function isIn({path, folder}, paths) {
  if (folder) return paths.some((one) => one === path || one.startsWith(`${path}/`));
  const star = path.indexOf('*');
  if (star < 0) return paths.includes(path);
  const [head, tail] = [path.slice(0, star), path.slice(star + 1)];
  return paths.some((one) => one.length > path.length - 1 && one.startsWith(head) && one.endsWith(tail));
}

/**
 * What is wrong with the archive of a package, by its package.json, its gemini.plugin.json and its files.
 * @param {{
 *   manifest: Record<string, any>,
 *   plugin?: Record<string, any> | undefined,
 *   files: readonly PackedFile[],
 * }} archive
 * @returns {Failure[]}
 */
export function checkArchive({manifest, plugin, files}) {
  const hasCommands = (plugin?.commands ?? []).length > 0;
  const paths = files.map(({path}) => path);
  const missing = listNamedFiles(manifest, plugin)
    .filter((named) => !isIn(named, paths))
    .map(({path, by}) => ({
      sentence: `${by} names ${path}, which is not in the archive.`,
      hint: 'Add it to `files`, or run `npm run setup` if the build writes it.',
    }));
  const basics = [
    [typeof manifest.license === 'string', 'package.json has no `license`.', 'Add `"license": "Apache-2.0"`.'],
    [
      paths.some((path) => /^licen[cs]e(?:\.|$)/i.test(path)),
      'The archive holds no licence.',
      'Run `npm run setup`, which copies LICENSE into each package.',
    ],
    [
      paths.some((path) => /^readme\.md$/i.test(path)),
      'The archive holds no README.md.',
      'Write what the package does and how to use it.',
    ],
    [
      !hasCommands || manifest.oclif?.commands !== undefined,
      'The plugin has commands, and package.json does not say where.',
      'Add `"commands": "./dist/commands"` to `oclif`.',
    ],
  ];
  return [
    ...basics.flatMap(([holds, sentence, hint]) => (holds ? [] : [{sentence: String(sentence), hint: String(hint)}])),
    ...missing,
    ...findUnexpected(files),
  ];
}
