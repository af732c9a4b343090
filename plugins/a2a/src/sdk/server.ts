export {AgentCard, Role, Task, TaskPushNotificationConfig, TaskState} from '@a2a-js/sdk';
export {ContentTypeNotSupportedError, RequestMalformedError, TaskNotCancelableError} from '@a2a-js/sdk/errors';
export {
  AgentEvent,
  DefaultRequestHandler,
  ExecutionEventQueue,
  JsonRpcTransportHandler,
  ResultManager,
  ServerCallContext,
  V1PushNotificationSerializer,
  validateVersion,
} from '@a2a-js/sdk/server';
export {LegacyJsonRpcTransportHandler, V03PushNotificationSerializer} from '@a2a-js/sdk/compat/v0_3/server';
export type {SendMessageRequest} from '@a2a-js/sdk';
export type {ListTasksRequest, ListTasksResponse, Message, Part, StreamResponse} from '@a2a-js/sdk';
export type {
  A2ARequestHandler,
  AgentExecutionEvent,
  AgentExecutor,
  ExecutionEventBus,
  PushNotificationSender,
  PushNotificationStore,
  RequestContext,
  StoredPushNotificationConfig,
  TaskStore,
} from '@a2a-js/sdk/server';
