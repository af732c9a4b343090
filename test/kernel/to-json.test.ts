import {describe, expect, test} from '@jest/globals';
import {toJson} from '#kernel/dist/hooks/to-json.js';

function freezeAll<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) freezeAll(part);
  return Object.freeze(value);
}

describe('a value that passes between plugins', () => {
  test('is not copied where it is frozen all the way down [calls.json]', () => {
    const value = freezeAll({a: [1, {b: 'two'}], c: null});
    expect(toJson(value, 'it')).toBe(value);
    const mixed = {kept: value, copied: {d: 1}};
    const made = toJson(mixed, 'it');
    expect(made).toEqual(mixed);
    expect(made.kept).toBe(value);
    expect(made.copied).not.toBe(mixed.copied);
    expect(Object.isFrozen(made.copied)).toBe(true);
  });

  let reads = 0;
  const changing = {
    get now() {
      return (reads += 1);
    },
  };
  test.each<readonly [string, object, unknown]>([
    ['something in it is not frozen', Object.freeze({a: {b: 1}}), {a: {b: 1}}],
    ['a property is read from a function', Object.freeze(changing), {now: expect.any(Number)}],
    ['a property is undefined', Object.freeze({a: 1, b: undefined}), {a: 1}],
    ['a property is a symbol', Object.freeze({a: 1, [Symbol('b')]: 2}), {a: 1}],
    ['a property is hidden', Object.freeze(Object.defineProperty({a: 1}, 'b', {value: {}, enumerable: false})), {a: 1}],
    ['it has another prototype', Object.freeze(Object.assign(Object.create(null) as object, {a: 1})), {a: 1}],
    ['a list has a property of its own', Object.freeze(Object.assign([1], {more: 2})), [1]],
  ])('is copied where %s [calls.json]', (_, value, equal) => {
    const made = toJson(value, 'it');
    expect(made).not.toBe(value);
    expect(made).toEqual(equal);
    expect(toJson(made, 'it')).toBe(made);
  });

  test('does not follow what it was made from [calls.json]', () => {
    const value = Object.freeze({list: [1]});
    const made = toJson(value, 'it');
    value.list.push(2);
    expect(made).toEqual({list: [1]});
  });
});
