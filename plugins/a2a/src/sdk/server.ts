export {AgentCard, Role, Task, TaskState} from '@a2a-js/sdk';
export {
  AgentEvent,
  DefaultRequestHandler,
  JsonRpcTransportHandler,
  ServerCallContext,
  validateVersion,
} from '@a2a-js/sdk/server';
export {LegacyJsonRpcTransportHandler} from '@a2a-js/sdk/compat/v0_3/server';
export type {ListTasksRequest, ListTasksResponse, Message, Part} from '@a2a-js/sdk';
export type {
  A2ARequestHandler,
  AgentExecutionEvent,
  AgentExecutor,
  ExecutionEventBus,
  RequestContext,
  TaskStore,
} from '@a2a-js/sdk/server';
