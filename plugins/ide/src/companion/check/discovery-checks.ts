import type {Stats} from 'node:fs';
import {stat} from 'node:fs/promises';
import {basename, isAbsolute, delimiter} from 'node:path';
import {DISCOVERY_NAME, type DiscoveryFile} from '../../protocol.js';
import {isAlive, ownUser} from '../host-process.js';
import {passOver} from '../system-code.js';
import type {Check, Subject} from './subject.js';
import {demand} from './unfit.js';

/** The checks of the discovery file. */
export const discoveryChecks: readonly Check[] = [
  {
    name: 'discovery-name',
    says:
      'The discovery file is gemini/ide/gemini-ide-server-<pid>-<port>.json below the temporary folder, with the ' +
      'pid of a running process.',
    needs: 'file',
    run: checkName,
  },
  {
    name: 'discovery-private',
    says: 'The discovery file holds the token: it belongs to the user, and only the user can read it (mode 0600).',
    needs: 'file',
    run: checkPrivate,
  },
  {
    name: 'discovery-content',
    says:
      'The discovery file is JSON with port, workspacePath (absolute folders, joined as PATH is), authToken, and ' +
      'ideInfo with name and displayName.',
    needs: 'file',
    run: checkContent,
  },
];

/** The check after the companion was asked to end. */
export const endChecks: readonly Check[] = [
  {
    name: 'discovery-removed',
    says: 'The companion removes its discovery file when it ends.',
    needs: 'stop',
    extraMs: 5_000,
    run: checkRemoved,
  },
];

async function checkName({file, port}: Subject): Promise<void> {
  const name = basename(file?.path ?? '');
  const [, pid, named] = DISCOVERY_NAME.exec(name) ?? [];
  demand(pid !== undefined && named !== undefined, `Its name is ${name}.`);
  demand(Number(named) === port, `Its name says port ${named}, and the companion listens on ${port}.`);
  demand(isAlive(Number(pid)), `Its name says the process ${pid}, which is gone.`);
}

async function checkPrivate({file}: Subject): Promise<string | void> {
  const user = ownUser();
  if (user === undefined) return 'This system has no file modes.';
  const found = await lookAt(file?.path ?? '');
  demand(found !== undefined, 'It is missing while the companion runs.');
  const {uid, mode} = found;
  demand(uid === user, `It belongs to user ${uid}, and you are user ${user}.`);
  demand((mode & 0o077) === 0, `Its mode is 0${(mode & 0o777).toString(8)}.`);
}

async function checkContent({file, port, token}: Subject): Promise<void> {
  const {port: said, workspacePath, authToken, ideInfo} = parseFile(file?.text ?? '');
  demand(Number(said) === port, `port is ${JSON.stringify(said)}, and the companion listens on ${port}.`);
  demand(typeof workspacePath === 'string', `workspacePath is ${JSON.stringify(workspacePath)}, not a string.`);
  const loose = workspacePath.split(delimiter).find((root) => root !== '' && !isAbsolute(root));
  demand(loose === undefined, `workspacePath names ${JSON.stringify(loose)}, which is not absolute.`);
  demand(
    typeof authToken === 'string' && authToken !== '' && authToken === token,
    'authToken is not the token of the companion.',
  );
  demand(
    typeof ideInfo?.name === 'string' && typeof ideInfo.displayName === 'string',
    `ideInfo is ${JSON.stringify(ideInfo)}.`,
  );
}

/** The content of a discovery file as an object. */
export function parseFile(text: string): Partial<DiscoveryFile> {
  try {
    const said = JSON.parse(text) as unknown;
    return typeof said === 'object' && said !== null ? said : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}

async function checkRemoved({file, stop}: Subject): Promise<string | void> {
  if (ownUser() === undefined) return 'This system has no signal that asks a process to end.';
  demand((await stop?.()) === true, 'The companion did not end after SIGTERM.');
  const found = await lookAt(file?.path ?? '');
  demand(found === undefined, `${basename(file?.path ?? '')} is still there.`);
}

async function lookAt(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: unknown) => passOver(error, 'ENOENT'));
}
