// How many of the words that words.mjs names are still in each part. These counts only go down.
export default {
  'docs/decisions': 41,
  'plugins/agent': 1,
  'test/bench': 4,
  'test/bin': 1,
  'test/docs': 1,
  'test/fixtures': 2,
  'test/journeys': 1,
  'test/kernel': 3,
  'test/plugins': 84,
  test: 41,
  'test/surface': 3,
};
