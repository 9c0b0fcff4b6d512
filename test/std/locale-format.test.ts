import {expect, test} from 'vitest';
import {localeFormat, plainFormat, timeLocale} from '#std/locale-format.ts';

const locales =
  'af_ZA am_ET ar_AE ar_BH ar_DZ ar_EG ar_IQ ar_JO ar_KW ar_LB ar_LY ar_MA ar_OM ar_QA ar_SA ar_SD ar_SY ar_TN ar_YE as_IN az_AZ ' +
  'be_BY bg_BG bn_BD bn_IN bs_BA ca_ES cs_CZ cy_GB da_DK de_AT de_BE de_CH de_DE de_LU el_CY el_GR en_AG en_AU en_BW en_CA en_DK ' +
  'en_GB en_HK en_IE en_IL en_IN en_NG en_NZ en_PH en_SG en_US en_ZA en_ZM en_ZW es_AR es_BO es_CL es_CO es_CR es_CU es_DO es_EC ' +
  'es_ES es_GT es_HN es_MX es_NI es_PA es_PE es_PR es_PY es_SV es_US es_UY es_VE et_EE eu_ES fa_IR fi_FI fil_PH fo_FO fr_BE fr_CA ' +
  'fr_CH fr_FR fr_LU ga_IE gl_ES gu_IN he_IL hi_IN hr_HR hu_HU hy_AM id_ID is_IS it_CH it_IT ja_JP ka_GE kk_KZ km_KH kn_IN ko_KR ' +
  'lo_LA lt_LT lv_LV mk_MK ml_IN mn_MN mr_IN ms_MY mt_MT my_MM nb_NO ne_NP nl_BE nl_NL or_IN pa_IN pa_PK pl_PL ps_AF pt_BR pt_PT ' +
  'ro_RO ru_RU ru_UA si_LK sk_SK sl_SI sq_AL sr_RS sv_FI sv_SE sw_KE ta_IN ta_LK te_IN th_TH tr_TR tr_CY uk_UA ur_PK uz_UZ vi_VN ' +
  'zh_CN zh_HK zh_SG zh_TW';

/** The part of `Intl.Locale` that TypeScript does not know yet. */
interface WeekLocale {
  getWeekInfo(): {readonly firstDay: number; readonly weekend: readonly number[]};
}

function formatByIntl(name: string) {
  const tag = name.replace('_', '-');
  const date = {
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    calendar: 'gregory',
    numberingSystem: 'latn',
  } as const;
  const parts = new Intl.DateTimeFormat(tag, date).formatToParts(0).map(({type}) => type.charAt(0));
  const {firstDay, weekend} = (new Intl.Locale(tag) as unknown as WeekLocale).getWeekInfo();
  let workday = firstDay;
  while (weekend.includes(workday)) workday = (workday % 7) + 1;
  return {
    dateOrder: parts.filter((part) => 'dmy'.includes(part)).join(''),
    hour12: new Intl.DateTimeFormat(tag, {hour: 'numeric'}).resolvedOptions().hour12,
    firstDay: firstDay % 7,
    firstWorkday: workday % 7,
  };
}

test('the formats of locales are those of Unicode', () => {
  const names = locales.split(' ');
  const own = Object.fromEntries(names.map((name) => [name, localeFormat(`${name}.UTF-8`)]));
  expect(own).toEqual(Object.fromEntries(names.map((name) => [name, formatByIntl(name)])));
});

test('a locale without a region, and what is no locale, give the plain format', () => {
  for (const name of ['', 'C', 'C.UTF-8', 'POSIX', 'en', 'xx_', '../../etc'])
    expect(localeFormat(name)).toEqual(plainFormat);
});

test('LC_ALL wins over LC_TIME, and LC_TIME over LANG', () => {
  expect(timeLocale({LC_ALL: 'a', LC_TIME: 'b', LANG: 'c'})).toBe('a');
  expect(timeLocale({LC_ALL: '', LC_TIME: 'b', LANG: 'c'})).toBe('b');
  expect(timeLocale({LANG: 'c'})).toBe('c');
  expect(timeLocale({})).toBe('');
});
