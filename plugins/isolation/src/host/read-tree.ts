import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {RemoteRequest} from '../contract.js';
import type {Peer} from '../wire/peer.js';
import type {Watching} from '../wire/watched.js';
import {within} from './waiting.js';
import {digestOf, PROTOCOL, type Hello} from '../wire/hello.js';

/** The first request to the process of a plugin. Throws KernelError PLUGIN_CHANGED where its files have changed. */
export async function greetingFor({plugin, tree}: RemoteRequest, watching?: Watching): Promise<Hello> {
  const {root, manifest} = plugin;
  const found = await (tree?.() ?? Promise.resolve(undefined)).catch((cause: unknown) => {
    throw changed(manifest.name, messageOf(cause));
  });
  return {
    ...{protocol: PROTOCOL, root, manifest: digestOf(manifest)},
    ...(watching ? {watching} : {}),
    ...(found ? {tree: {root: found.root, digests: [...found.digests]}} : {}),
  };
}

export function changed(plugin: string, why: string): KernelError {
  return new KernelError('PLUGIN_CHANGED', `${plugin} does not run, because it changed since gemini started: ${why}.`, {
    hint: `Start gemini again; if it stays so, run gemini plugins verify, and install ${plugin} again.`,
  });
}

const HANDSHAKE_MS = 10_000;

/** Whether a process says of itself what the greeting says. Calls `late` when it does not answer in time. */
export async function isKnown(peer: Peer, hello: Hello, late: () => void): Promise<boolean> {
  const answer = (await within(peer.request('hello', [hello]), HANDSHAKE_MS, late)) as Partial<Hello> | null;
  return answer?.protocol === hello.protocol && answer.manifest === hello.manifest;
}
