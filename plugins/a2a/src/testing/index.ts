export {taskStoreCases, type TaskStoreCase} from './task-store-cases.js';
