/** How dates and times are written in a locale. Names of days and months are English, like the rest of the screen. */
export interface LocaleFormat {
  readonly dateOrder: 'dmy' | 'mdy' | 'ymd';
  readonly hour12: boolean;
  /** The first day of a week and its first day of work; 0 is Sunday. */
  readonly firstDay: number;
  readonly firstWorkday: number;
}

/** Without a locale: `Tue 12 May, 14:30`, and weeks from Monday. */
export const plainFormat: LocaleFormat = {dateOrder: 'dmy', hour12: false, firstDay: 1, firstWorkday: 1};

/**
 * Where a locale differs from the plain format: regions, and languages in a region, which win. A table, because `Intl` takes 60 ms
 * to load; a test compares the two.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const [dayFirst, clock24] = [words('es_US'), words('fr_CA')];
const monthFirst = words('US PH PR PA GU VI or_IN mt_MT');
const yearFirst = words('ZA CA HU IR JP KR LT MN NP SE CN TW eu_ES si_LK zh_SG pa_PK ps_AF');
const clock12 = words(
  'ET AE BH DZ EG IQ JO KW LB LY OM QA SA SD SY TN YE IN BD CY GR AG AU CA HK NZ PH SG US ZM AR BO CL CO CR CU DO EC GT HN MX ' +
    'NI PA PE PR PY SV UY VE KH KR MY PK AL TW GU VI',
);
const fromSunday = words(
  'ZA ET SA YE IN BD AG BW CA HK IL PH SG US ZW CO DO GT HN MX NI PA PE PR PY SV VE ID IS JP KH KR LA MT MM NP PK BR PT KE TH TW GU VI',
);
const fromSaturday = words('BH DZ EG IQ JO KW LY OM QA SD SY IR AF');
const worksFromSunday = words('IL SA YE BH DZ EG IQ JO KW LY OM QA SD SY');
const worksFromSaturday = words('IR AF');

/** Returns the format of a locale of the system, such as `de_AT.UTF-8`; the plain one for a locale without a region. */
export function localeFormat(locale: string): LocaleFormat {
  const [name = '', region] = /^[a-z]{2,3}(?:_([A-Z]{2}))?/.exec(locale) ?? [];
  if (region === undefined) return plainFormat;
  const isIn = (set: ReadonlySet<string>) => set.has(region) || set.has(name);
  const isMonthFirst = isIn(monthFirst) && !isIn(dayFirst);
  return {
    dateOrder: isMonthFirst ? 'mdy' : isIn(yearFirst) ? 'ymd' : 'dmy',
    hour12: isIn(clock12) && !isIn(clock24),
    firstDay: isIn(fromSunday) ? 0 : isIn(fromSaturday) ? 6 : 1,
    firstWorkday: isIn(worksFromSunday) ? 0 : isIn(worksFromSaturday) ? 6 : 1,
  };
}

/** Returns the locale of dates and times that the environment names. */
export function timeLocale(env: Readonly<Record<string, string | undefined>>): string {
  return env.LC_ALL || env.LC_TIME || env.LANG || '';
}
