import type {A2ARequestHandler, SendMessageRequest, ServerCallContext} from '#sdk';
import type {KeptTasks} from './kept-tasks.js';
import type {Sdk} from './setup.js';

const TAKEN: ReadonlySet<string> = new Set(['text', 'data']);

type HandlerParts = ConstructorParameters<Sdk['DefaultRequestHandler']>;

/**
 * The handler of the SDK, with what must be refused before it works on a message: parts of a kind that is not taken,
 * and messages to a task that another server of the same store runs. Their end would take the place of the task.
 */
export function createHandler(sdk: Sdk, tasks: KeptTasks, parameters: HandlerParts): A2ARequestHandler {
  const {DefaultRequestHandler, RequestMalformedError, ContentTypeNotSupportedError, TaskNotCancelableError} = sdk;
  const check = async (task: string | undefined, context: ServerCallContext): Promise<void> => {
    if (task !== undefined && task !== '' && (await tasks.isElsewhere(task, context)))
      throw new RequestMalformedError('Another server runs this task: ask that one.');
  };
  const checkMessage = async ({message}: SendMessageRequest, context: ServerCallContext): Promise<void> => {
    if (message?.parts.length === 0) throw new RequestMalformedError('A message has at least one part.');
    if (message?.parts.some(({content}) => content !== undefined && !TAKEN.has(content.$case)))
      throw new ContentTypeNotSupportedError('Only parts of text and data are taken.');
    await check(message?.taskId, context);
  };
  type Handler = InstanceType<typeof DefaultRequestHandler>;
  return new (class extends DefaultRequestHandler {
    override async sendMessage(...given: Parameters<Handler['sendMessage']>): ReturnType<Handler['sendMessage']> {
      await checkMessage(...given);
      return super.sendMessage(...given);
    }

    override async *sendMessageStream(
      ...given: Parameters<Handler['sendMessageStream']>
    ): ReturnType<Handler['sendMessageStream']> {
      await checkMessage(...given);
      yield* super.sendMessageStream(...given);
    }

    override async cancelTask(...given: Parameters<Handler['cancelTask']>): ReturnType<Handler['cancelTask']> {
      await check(given[0].id, given[1]);
      const task = await tasks.load(given[0].id, given[1]);
      if (task && !tasks.isOpen(task)) throw new TaskNotCancelableError('The task has ended.');
      return super.cancelTask(...given);
    }
  })(...parameters);
}
