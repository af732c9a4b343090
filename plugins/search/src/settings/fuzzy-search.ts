import {defineSetting} from '@gemini-kernel/kernel';

/** Whether @paths are completed from letters that are not next to each other. */
export default defineSetting('context.fileFiltering.enableFuzzySearch', {
  schema: {type: 'boolean'},
  default: true,
  description: 'Complete @paths from letters that are not next to each other.',
  category: 'Search',
});
