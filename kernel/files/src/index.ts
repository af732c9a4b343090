export {FileFault, isFileFault, type OddKind} from './file-fault.js';
export {findForeignOwner} from './foreign-owner.js';
export {findForeignWriter, type ForeignWriter, type WriterOptions} from './foreign-writer.js';
export {openRegularSync, type OpenedFile} from './open-regular-sync.js';
export {appendPrivateFile, appendPrivateFileSync, createPrivateFile, openToAppend} from './private-file.js';
export {makePrivateFolder, makePrivateFolderSync} from './private-folder.js';
export {readRegular, type ReadOptions} from './read-regular.js';
export {readOpenedSync, readRegularSync} from './read-regular-sync.js';
export {readText, readTextSync} from './read-text.js';
