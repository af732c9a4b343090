import {register} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {MessageChannel} from 'node:worker_threads';
import {
  checkDirectly,
  checkRequests,
  checkRequired,
  type CheckedTree,
  type ModuleChecks,
} from '@gemini-kernel/admission/modules';

/** Has Node ask about each module that it loads, and gives what makes a tree known to the hooks. */
export function installHooks(checks: ModuleChecks): (tree: CheckedTree) => Promise<void> {
  checkRequired(checks);
  if (checkDirectly(checks)) return () => Promise.resolve();
  checkRequests(checks);
  return startHooks(checks.program);
}

/** Starts the hooks in the thread that this Node has for them. It answers each tree once it knows it. */
function startHooks(program: string): (tree: CheckedTree) => Promise<void> {
  const {port1: port, port2} = new MessageChannel();
  const file = pathToFileURL(join(program, 'bin', 'dist', 'module-hooks.js')).href;
  register(file, {data: {program, port: port2}, transferList: [port2]});
  port.unref();
  return (tree) =>
    new Promise((resolve) => {
      port.ref();
      port.once('message', () => {
        port.unref();
        resolve();
      });
      port.postMessage(tree);
    });
}
