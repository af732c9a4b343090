export {Role, TaskState} from '@a2a-js/sdk';
export {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
export type {AgentCard, Message, Part, SendMessageRequest, StreamResponse, Task} from '@a2a-js/sdk';
export type {Client} from '@a2a-js/sdk/client';
