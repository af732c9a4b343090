import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Task, Todo} from '../../contract.js';
import {showTodos} from '../../show-todos.js';
import {isTracked} from '../../tracker/is-tracked.js';
import {showTasks} from '../../tracker/show-tasks.js';

export default class TodosCommand extends KernelCommand {
  static override summary = 'Show the steps or the tasks that the model works through.';
  static override examples = ['/todos'];
  static override slash = true;

  async run(): Promise<{readonly todos: readonly Todo[]} | {readonly tasks: readonly Task[]}> {
    await this.parse(TodosCommand);
    if (await isTracked(await this.service('settings'))) {
      const tasks = await (await this.service('tracker')).list();
      this.log(showTasks(tasks));
      return {tasks};
    }
    const todos = await (await this.service('todos')).list();
    this.log(showTodos(todos));
    return {todos};
  }
}
