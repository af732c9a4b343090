import type {MessagePort} from 'node:worker_threads';
import {
  checkRequested,
  checkSource,
  pathOf,
  type CheckedTree,
  type Loaded,
  type ModuleChecks,
  type Resolved,
} from '@gemini-kernel/admission/modules';

let checks: ModuleChecks = {trees: [], program: ''};

/** Called by Node in the thread of the hooks. Each tree that comes through the port is answered. */
export function initialize({program, port}: {readonly program: string; readonly port: MessagePort}): void {
  checks = {trees: [], program};
  port.on('message', (tree: CheckedTree) => {
    checks.trees.push(tree);
    port.postMessage('known');
  });
}

/** Node's hook for where a module is. */
export async function resolve(
  request: string,
  context: {readonly parentURL?: string},
  next: (request: string, context: object) => Promise<Resolved>,
): Promise<Resolved> {
  const found = await next(request, context);
  checkRequested(checks, request, {parent: context.parentURL, url: found.url});
  return found;
}

/** Node's hook for what a module holds: what is given to it here is what runs. */
export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await next(url, context);
  checkSource(checks, pathOf(url) ?? '', loaded.source);
  return loaded;
}
