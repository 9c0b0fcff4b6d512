import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {expectValid, operationsFixture, responseFields} from './operations-fixture.ts';

const path = '/realm/profile_fields';

describe('20. get all custom profile fields', () => {
  test('an organization without fields returns an empty list', async () => {
    const fixture = await operationsFixture();
    expect((await fixture.as(fixture.meg).get(path)).custom_fields).toEqual([]);
  });

  test('returns every field of every type in display order, to all users', async () => {
    const fixture = await operationsFixture();
    const choices = {vim: {text: 'Vim', order: '1'}, emacs: {text: 'Emacs', order: '2'}};
    const make = async (params: object) => (await fixture.as(fixture.admin).post(path, {...params})).id;
    const short = await make({name: 'Phone', hint: 'With prefix', field_type: 1, required: true});
    const choice = await make({
      name: 'Editor',
      field_type: 3,
      field_data: choices,
      display_in_profile_summary: true,
      editable_by_user: false,
    });
    const account = await make({field_type: 7, field_data: {subtype: 'github'}, use_for_user_matching: true});
    await fixture.as(fixture.admin).patch(path, {order: [choice, short, account]});
    for (const person of [fixture.owner, fixture.meg, fixture.guest, fixture.bot]) {
      const reply = await fixture.as(person).get(path);
      expect(responseFields(expectValid(endpoints.getProfileFields, reply))).toEqual(['custom_fields']);
      const fields = reply.custom_fields.toSorted((a: {order: number}, b: {order: number}) => a.order - b.order);
      expect(fields).toEqual([
        {
          id: choice,
          name: 'Editor',
          hint: '',
          order: expect.any(Number),
          type: 3,
          required: false,
          editable_by_user: false,
          field_data: expect.any(String),
          display_in_profile_summary: true,
        },
        {
          id: short,
          name: 'Phone',
          hint: 'With prefix',
          order: expect.any(Number),
          type: 1,
          required: true,
          editable_by_user: true,
          field_data: '',
        },
        {
          id: account,
          name: expect.any(String),
          hint: expect.any(String),
          order: expect.any(Number),
          type: 7,
          required: false,
          editable_by_user: true,
          field_data: expect.any(String),
          use_for_user_matching: true,
        },
      ]);
      expect(reply.custom_fields).toEqual(fields);
      expect(JSON.parse(fields[0].field_data)).toEqual(choices);
      expect(JSON.parse(fields[2].field_data)).toMatchObject({subtype: 'github'});
    }
  });

  test('unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    expect((await fixture.as(fixture.meg).get(path, {wibble: '1'})).ignored_parameters_unsupported).toEqual(['wibble']);
  });
});
