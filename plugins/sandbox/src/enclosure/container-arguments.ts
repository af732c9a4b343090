import type {ContainerMount} from './container-options.js';

/** Everything about one container. */
export interface ContainerRequest {
  readonly engine: 'docker' | 'podman' | 'runsc';
  readonly image: string;
  readonly name: string;
  /** Absolute and real; the same inside. */
  readonly cwd: string;
  readonly home: string;
  /** The person's numbers; absent: who the image says. */
  readonly user?: {readonly id: number; readonly group: number};
  readonly mounts: readonly ContainerMount[];
  readonly ports: readonly number[];
  /** Variables that are passed as they are, by name: values would be seen by other users. */
  readonly passed: readonly string[];
  /** As `NAME=value`. */
  readonly variables: readonly string[];
  readonly network?: string;
  readonly hasTerminal: boolean;
  /** What the person adds. */
  readonly flags: readonly string[];
  /** The program of gemini, and its words. */
  readonly words: readonly string[];
}

/** The arguments of docker or podman for a container. */
export function containerArguments(request: ContainerRequest): readonly string[] {
  const {engine, image, name, cwd, home, mounts, ports, network, user} = request;
  return [
    ...['run', '-i', '--rm', '--init', '--workdir', cwd, '--entrypoint', ''],
    ...(engine === 'runsc' ? ['--runtime=runsc'] : []),
    ...(request.hasTerminal ? ['-t'] : []),
    // podman has that name already.
    ...(engine === 'podman' ? [] : ['--add-host', 'host.docker.internal:host-gateway']),
    ...['--name', name, '--hostname', name],
    ...(user ? userArguments(request, user) : []),
    ...mounts.flatMap(({from, to, rights}) => ['--volume', `${from}:${to}:${rights}`]),
    // A server of the container is for the person, not for the network.
    ...ports.flatMap((port) => ['--publish', `127.0.0.1:${port}:${port}`]),
    ...(network === undefined ? [] : ['--network', network]),
    ...request.passed.flatMap((one) => ['--env', one]),
    ...[`HOME=${home}`, `SANDBOX=${name}`, ...request.variables].flatMap((one) => ['--env', one]),
    ...request.flags,
    image,
    ...request.words,
  ];
}

/** The user has no home in the image. */
function userArguments(
  {engine, home}: Pick<ContainerRequest, 'engine' | 'home'>,
  {id, group}: NonNullable<ContainerRequest['user']>,
): readonly string[] {
  return [
    ...(engine === 'podman' ? ['--userns=keep-id'] : []),
    ...['--user', `${id}:${group}`, '--tmpfs', `${home}:rw,exec,mode=1777`],
  ];
}
