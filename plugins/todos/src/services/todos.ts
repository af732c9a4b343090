import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {Todos} from '../contract.js';
import {LiveTodos} from '../live-todos.js';

/** The steps that the model works through. */
export default provide('todos', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list', 'replace'],
  create: ({service}): Todos => new LiveTodos(() => service('agent')),
});
