import {existsSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createCatalog, findRefusal, kernelErrors, type CatalogPlugin, type Manifest} from '@gemini-kernel/kernel/host';
import {buildManifest} from './build-manifest.js';

export interface Checked {
  readonly name: string;
  /** What is to be mended, a sentence each; none when the plugin is fit to be packed. */
  readonly findings: readonly string[];
}

/** Looks a compiled plugin over as a host that has `others` would, and as its next reader would. Throws KernelError BUILD_INVALID when it cannot be built. */
export async function checkPlugin(root: string, others: readonly CatalogPlugin[]): Promise<Checked> {
  const manifest = await buildManifest(root);
  const findings = [
    ...(await checkFiles(root, manifest)),
    ...(await checkAdmission(root, manifest, others)),
    ...(await checkErrors(root, manifest)),
    ...checkSources(root, manifest),
    ...checkParameters(manifest),
  ];
  return {name: manifest.name, findings};
}

async function checkFiles(root: string, manifest: Manifest): Promise<readonly string[]> {
  const {files} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {files?: readonly string[]};
  const written = await readFile(join(root, 'gemini.plugin.json'), 'utf8').catch(() => '{}');
  const stale = JSON.stringify(parseOr(written)) !== JSON.stringify(manifest) || !existsSync(join(root, 'oclif.manifest.json'));
  const unpacked = ['dist', 'gemini.plugin.json', 'oclif.manifest.json'].filter((name) => files && !files.some((one) => one.replace(/^\.?\/|\/$/g, '') === name));
  return [
    ...(stale ? ['The manifests are not those of the compiled code. Run gemini plugins build.'] : []),
    ...unpacked.map((name) => `npm pack leaves ${name} out. Add it to "files" in package.json.`),
    ...(existsSync(join(root, 'README.md')) ? [] : ['There is no README.md that says what it adds and needs.']),
  ];
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Damaged is as good as stale: it is to be built again.
    return undefined;
  }
}

async function checkAdmission(root: string, manifest: Manifest, others: readonly CatalogPlugin[]): Promise<readonly string[]> {
  // A plugin of the product may do what others may not.
  const origin = others.some((plugin) => plugin.origin === 'core' && plugin.root === root) ? 'core' : 'link';
  const rest = others.filter((plugin) => plugin.manifest.name !== manifest.name);
  const {refused} = createCatalog([...rest, {root, origin, manifest}]);
  const reason = (await findRefusal(root, manifest, {reserved: []})) ?? refused.find(({name}) => name === manifest.name)?.reason;
  return reason === undefined ? [] : [`It would be left out: ${reason}.`];
}

async function checkErrors(root: string, {errors}: Manifest): Promise<readonly string[]> {
  const thrown = new Map<string, string>();
  for (const file of await listCode(root)) {
    const text = await readFile(join(root, file), 'utf8');
    for (const [, code = ''] of text.matchAll(/new (?:Kernel|Tool)Error\(\s*['"`]([A-Z][A-Z0-9_]+)['"`]/g)) thrown.set(code, file);
  }
  return [...thrown].filter(([code]) => !(code in errors) && !(code in kernelErrors)).map(([code, file]) => `${file} throws ${code}, which src/errors.ts does not list.`);
}

/** A compiled contribution whose source is gone would be built and packed all the same. */
function checkSources(root: string, {tools, services, listeners, commands}: Manifest): readonly string[] {
  if (!existsSync(join(root, 'src'))) return [];
  const modules = [...tools, ...services, ...listeners, ...commands].map(({module}) => module);
  const sourceOf = (module: string): string => module.replace('./dist/', 'src/').replace(/\.js$/, '.ts').replace(/\.mjs$/, '.mts');
  return modules.filter((module) => !existsSync(join(root, sourceOf(module)))).map((module) => `${module} has no source ${sourceOf(module)}. Remove the file, or all of dist, and compile again.`);
}

function checkParameters({tools}: Manifest): readonly string[] {
  return tools.flatMap(({name, input}) =>
    Object.entries((input['properties'] ?? {}) as Record<string, {readonly description?: string}>)
      .filter(([, {description}]) => !description)
      .map(([key]) => `The parameter ${key} of ${name} has no description; a model chooses by it.`),
  );
}

async function listCode(root: string): Promise<readonly string[]> {
  const files = await readdir(join(root, 'dist'), {recursive: true});
  return files.filter((file) => /\.m?js$/.test(file)).map((file) => join('dist', file)).sort();
}
