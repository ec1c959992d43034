/** Leva to the euro, fixed by law; never shortened, never inverted (Регламент (ЕС) на Съвета от 8 юли 2025 г.; Закон за въвеждане на еврото). */
export const LEVA_PER_EURO = '1.95583';
