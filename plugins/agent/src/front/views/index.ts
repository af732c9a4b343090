// What draws views, for interfaces: loaded when the first view is opened.
export {ListViewer, type ListViewerParts} from './list-viewer.js';
export {drawPlain} from './plain-drawer.js';
export {openAfter, wrapLine} from './wrap-line.js';
export {TextViewer, type TextViewerParts} from './text-viewer.js';
