import {createHash, randomBytes} from 'node:crypto';
import {existsSync} from 'node:fs';
import {basename, join} from 'node:path';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-trust/contract';
import {containerArguments} from './container-arguments.js';
import {findMounts} from './container-mounts.js';
import {checkImage, readContainerOptions, type ContainerOptions} from './container-options.js';
import type {EnclosingName} from './enclosing.js';
import {readSaid, userOf, type Said} from './entering-said.js';
import type {Entering} from './live-enclosure.js';
import {passedNames} from './passed-names.js';
import {makeInnerNetwork, runEngine, startContainerProxy, type RunningProxy} from './proxy.js';
import {runAttached} from '@gemini-kernel/processes';

/** What engines end with when they could not start the container. */
const ENGINE_FAULT = 125;

interface Engine {
  readonly name: Exclude<EnclosingName, 'sandbox-exec' | 'lxc'>;
  readonly file: string;
}

/** Runs the program in a container to its end. Throws KernelError SANDBOX_UNAVAILABLE and SANDBOX_OPTION_INVALID. */
export async function enterContainer(engine: Engine, entering: Entering): Promise<number> {
  const {environment, program, roots, words, signal} = entering;
  const {cwd, variables} = environment;
  const options = readContainerOptions(variables);
  const said = await readSaid(entering);
  const image = await findImage(engine, entering, said);
  const mounts = await findMounts(entering);
  const proxy = await openProxy(engine, {image, place: environment, options}, signal);
  try {
    const isCut = proxy !== undefined || said.networkAccess === false;
    const network = isCut ? await makeInnerNetwork(runEngine(engine.file)) : undefined;
    const name = `${basename(image).replace(/[^A-Za-z0-9_.-]/g, '-')}-${randomBytes(6).toString('hex')}`;
    const args = containerArguments({
      engine: engine.name,
      image,
      name,
      cwd: roots[0] ?? cwd,
      home: environment.variables['HOME'] || environment.home,
      mounts: [...mounts, ...said.allowed, ...options.mounts],
      ports: options.ports,
      passed: passedNames(variables),
      variables: [...innerVariables(engine, environment, proxy), ...options.variables],
      hasTerminal: program.hasTerminal,
      flags: options.flags,
      words: ['node', program.file, ...words],
      ...(network === undefined ? {} : {network}),
      ...userOf(entering, options),
    });
    const ending = proxy ? AbortSignal.any([signal, proxy.signal]) : signal;
    const code = await runAttached({file: engine.file, args, cwd, variables}, ending);
    proxy?.signal.throwIfAborted();
    if (code !== ENGINE_FAULT) return code;
    throw new KernelError('SANDBOX_UNAVAILABLE', `${engine.name} could not start the container of ${image}.`, {
      hint: 'Its message is above. Look at the name of the image, at SANDBOX_FLAGS, and whether the engine runs.',
    });
  } finally {
    await proxy?.close();
  }
}

/** The image that is named, or that is built from the project's file. */
async function findImage({name, file}: Engine, {environment, service, names}: Entering, said: Said): Promise<string> {
  const {cwd, variables} = environment;
  const sources = [
    ['GEMINI_SANDBOX_IMAGE', variables['GEMINI_SANDBOX_IMAGE']],
    ['GEMINI_SANDBOX_IMAGE_DEFAULT', variables['GEMINI_SANDBOX_IMAGE_DEFAULT']],
    ['tools.sandbox.image', said.image],
  ] as const;
  const [by, named] = sources.find(([, value]) => typeof value === 'string' && value !== '') ?? ['', undefined];
  const isBuilt = ['1', 'true'].includes(variables['BUILD_SANDBOX'] ?? '');
  if (typeof named === 'string' && !isBuilt) return checkImage(named, by);
  if (!isBuilt)
    throw new KernelError('SANDBOX_UNAVAILABLE', `${name} is asked for, and no image is named.`, {
      hint:
        'Set GEMINI_SANDBOX_IMAGE to an image with Node 20 or newer, such as node:22. ' +
        'Or write .gemini/sandbox.Dockerfile and set BUILD_SANDBOX=1.',
    });
  const source = join(cwd, '.gemini', 'sandbox.Dockerfile');
  const isTrusted = names('trust').length === 0 || (await (await service('trust')).may('settings'));
  if (!existsSync(source) || !isTrusted)
    throw new KernelError(
      'SANDBOX_UNAVAILABLE',
      existsSync(source)
        ? `BUILD_SANDBOX asks for an image of ${source}, and the folder is not trusted.`
        : `BUILD_SANDBOX asks for an image, and there is no ${source}.`,
      {hint: 'Write that file in a folder that you trust, or unset BUILD_SANDBOX.'},
    );
  const image =
    typeof named === 'string'
      ? checkImage(named, by)
      : `gemini-sandbox-${createHash('sha256').update(cwd).digest('hex').slice(0, 12)}`;
  await runEngine(file)('build', '-f', source, '-t', image, cwd);
  return image;
}

async function openProxy(
  {file}: Engine,
  {
    image,
    place,
    options: {proxy},
  }: {readonly image: string; readonly place: Environment; readonly options: ContainerOptions},
  signal: AbortSignal,
): Promise<RunningProxy | undefined> {
  return proxy && startContainerProxy(file, {image, place, words: proxy}, signal);
}

/** The choice, so that nothing inside chooses another sandbox, and where gemini keeps things. */
function innerVariables(
  {name}: Engine,
  {home, variables}: Pick<Environment, 'home' | 'variables'>,
  proxy: RunningProxy | undefined,
): readonly string[] {
  const isElsewhere = home !== (variables['HOME'] || home);
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
  return [
    `GEMINI_SANDBOX=${name}`,
    ...(isElsewhere ? [`GEMINI_CLI_HOME=${home}`] : []),
    ...(proxy ? names.map((one) => `${one}=${proxy.url}`) : []),
  ];
}
