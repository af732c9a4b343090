import {defineSetting} from '@gemini-kernel/kernel';

/** Whether sites may forbid programs to fetch their pages. */
export default defineSetting('web.robots', {
  schema: {type: 'boolean'},
  default: false,
  description: 'Obey the robots.txt of a site (RFC 9309) before a page of it is fetched.',
  category: 'Web',
});
