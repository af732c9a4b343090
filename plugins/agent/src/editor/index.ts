// For commands that let a person edit a file.
export {runEditor, type EditingParts} from './run-editor.js';
