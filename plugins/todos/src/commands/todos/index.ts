import {KernelCommand} from '@gemini-kernel/command';
import type {Todo} from '../../contract.js';
import {showTodos} from '../../show-todos.js';

export default class TodosCommand extends KernelCommand {
  static override summary = 'Show the steps that the model works through.';
  static override examples = ['/todos'];
  static override slash = true;

  async run(): Promise<{readonly todos: readonly Todo[]}> {
    await this.parse(TodosCommand);
    const todos = await (await this.service('todos')).list();
    this.log(showTodos(todos));
    return {todos};
  }
}
