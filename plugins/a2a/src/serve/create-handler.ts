import type {A2ARequestHandler, ServerCallContext} from '#sdk';
import type {KeptTasks} from './kept-tasks.js';
import type {Sdk} from './setup.js';

type HandlerParts = ConstructorParameters<Sdk['DefaultRequestHandler']>;

/**
 * The handler of the SDK, for a store that several servers share: a message to a task that another server runs is
 * refused. Once the SDK works on it, its end would take the place of the task.
 */
export function createHandler(
  {DefaultRequestHandler, RequestMalformedError}: Sdk,
  tasks: KeptTasks,
  parameters: HandlerParts,
): A2ARequestHandler {
  const check = async (task: string | undefined, context: ServerCallContext): Promise<void> => {
    if (task !== undefined && task !== '' && (await tasks.isElsewhere(task, context)))
      throw new RequestMalformedError('Another server runs this task: ask that one.');
  };
  type Handler = InstanceType<typeof DefaultRequestHandler>;
  return new (class extends DefaultRequestHandler {
    override async sendMessage(...given: Parameters<Handler['sendMessage']>): ReturnType<Handler['sendMessage']> {
      await check(given[0].message?.taskId, given[1]);
      return super.sendMessage(...given);
    }

    override async *sendMessageStream(
      ...given: Parameters<Handler['sendMessageStream']>
    ): ReturnType<Handler['sendMessageStream']> {
      await check(given[0].message?.taskId, given[1]);
      yield* super.sendMessageStream(...given);
    }

    override async cancelTask(...given: Parameters<Handler['cancelTask']>): ReturnType<Handler['cancelTask']> {
      await check(given[0].id, given[1]);
      return super.cancelTask(...given);
    }
  })(...parameters);
}
