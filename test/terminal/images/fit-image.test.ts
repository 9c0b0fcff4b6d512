import {expect, test} from 'vitest';
import {fitCells, fitGrid} from '#terminal/images/fit-image.ts';
import {padded} from '#terminal/images/pixels.ts';
import {drawnPixels} from '#test/support/images/terminal-images.ts';

const cell = {width: 10, height: 20};
const box = {columns: 60, rows: 12};

test.each([
  ['a large one fills the height', {width: 4000, height: 4000}, {columns: 24, rows: 12}],
  ['a wide one fills the width', {width: 6000, height: 600}, {columns: 60, rows: 3}],
  ['a small one is not enlarged', {width: 100, height: 40}, {columns: 10, rows: 2}],
  ['one pixel takes one cell', {width: 1, height: 1}, {columns: 1, rows: 1}],
  ['a size of 0 takes one cell', {width: 0, height: 0}, {columns: 1, rows: 1}],
  ['a line of pixels takes one row', {width: 999_999, height: 1}, {columns: 60, rows: 1}],
  ['a column of pixels takes one column', {width: 1, height: 999_999}, {columns: 1, rows: 12}],
])('the cells of an image: %s', (_, image, expected) => {
  expect(fitCells(image, box, cell)).toEqual(expected);
});

test('the pixels of an image keep their proportions', () => {
  const square = {columns: 24, rows: 12};
  const grid = {width: 240, height: 240};
  expect(fitGrid({width: 4000, height: 2000}, square, cell, grid)).toEqual({width: 240, height: 120});
  expect(fitGrid({width: 1, height: 9000}, square, cell, grid)).toEqual({width: 1, height: 240});
});

test('half cells that are not square do not change the proportions', () => {
  const size = fitGrid(
    {width: 500, height: 500},
    {columns: 20, rows: 8},
    {width: 9, height: 20},
    {width: 20, height: 16},
  );
  expect(size).toEqual({width: 18, height: 16});
});

test('an image of other proportions lies at the top left of its box', () => {
  const {rgba} = padded(
    drawnPixels(1, 1, () => [9, 9, 9]),
    3,
    3,
  );
  expect(Array.from(rgba).flatMap((value, at) => (value > 0 ? at : []))).toEqual([0, 1, 2, 3]);
});
