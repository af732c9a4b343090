import {defineTool, subjectOf, ToolError} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';
import {readSource} from '../parse/source-file.js';
import {readTouches} from '../read-touches.js';
import {problemText} from '../show/problem-text.js';
import {pathShower} from '../show/shown-path.js';

/** A server that starts reads the whole project first. */
const PATIENCE_MS = 30_000;

export default defineTool({
  name: 'code_diagnostics',
  description: 'Lists the errors and warnings of a source file, as the language server that is installed sees them.',
  effect: 'read',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {path: {type: 'string', minLength: 1, description: 'Path of the file.'}},
  },
  async touches({path}, {service}) {
    return readTouches(path, await service('workspace'));
  },
  async run(_, {call, service, signal}) {
    const path = subjectOf(call);
    const source = readSource(path);
    if ('fault' in source)
      throw new ToolError('CODE_UNREADABLE', `Cannot check ${path}: it ${source.fault}.`, {
        hint: 'Find the file with glob.',
      });
    const [servers, workspace] = await Promise.all([service('code-servers'), service('workspace')]);
    const late = AbortSignal.timeout(PATIENCE_MS);
    const {server, problems} = await servers
      .problems(path, source.text, AbortSignal.any([signal, late]))
      .catch((cause: unknown) => {
        signal.throwIfAborted();
        if (!late.aborted) throw cause;
        const sentence = `The language server did not answer for ${path} within ${PATIENCE_MS / 1000} s.`;
        throw new ToolError('CODE_SERVER_FAILED', sentence, {cause, hint: 'It is still starting. Try again later.'});
      });
    const shown = (await pathShower(workspace))(path);
    const errors = problems.filter(({severity}) => severity === 'error').length;
    const counts = `${errors} errors, ${problems.length - errors} warnings`;
    return {
      model: problems.length === 0 ? `${server} finds nothing in ${shown}.` : problemText(shown, problems, server),
      display: counts,
      data: {path, server, problems},
    };
  },
});
