//! Words for spans of time, which follow a number that changes by itself: "5 minutes ago".
//!
//! In English, Chinese, Spanish, German, French, Japanese, Portuguese, Russian, Italian and Arabic.

/// Whole words, in lower case.
const WORDS: &[&str] = &[
    "an", "ano", "anno", "anni", "anos", "ans", "año", "años", "année", "années", "d", "day", "days", "dia", "dias",
    "día", "días", "giorni", "giorno", "h", "heure", "heures", "hora", "horas", "hour", "hours", "hr", "hrs", "jahr", "jahre",
    "jahren", "jour", "jours", "mes", "mese", "meses", "mesi", "mês", "min", "mins", "minute", "minuten", "minutes", "minuti",
    "minuto", "minutos", "mois", "monat", "monate", "monaten", "month", "months", "ms", "ora", "ore", "s", "sec", "seconde",
    "secondes", "secondi", "secondo", "seconds", "second", "secs", "seg", "segundo", "segundos", "sek", "sekunde", "sekunden",
    "semaine", "semaines", "semana", "semanas", "settimana", "settimane", "std", "stunde", "stunden", "tag", "tage", "tagen",
    "week", "weeks", "woche", "wochen", "year", "years", "wk", "wks", "yr", "yrs", "µs", "millisecond", "milliseconds",
    "год", "года", "году", "дней", "день", "дня", "лет", "мес", "месяц", "месяца", "месяцев", "мин", "минут", "минута",
    "минуту", "минуты", "недели", "неделя", "недель", "неделю", "сек", "секунд", "секунда", "секунду", "секунды", "час",
    "часа", "часов", "ч", "أسابيع", "أسبوع", "أشهر", "أيام", "ثانية", "ثوان", "ثوانٍ", "دقائق", "دقيقة", "ساعات", "ساعة",
    "سنة", "سنوات", "شهر", "شهور", "شهرا", "شهرًا", "عام", "أعوام", "يوم", "يوما", "يومًا", "ثواني", "اسبوع", "ايام",
    "اشهر", "أسبوعا", "أسبوعًا",
];

/// Words of Chinese and Japanese, which no blank ends. Those for dates as well as spans count only before "ago".
const BEGINNINGS: &[&str] = &[
    "毫秒", "秒", "分钟", "分鐘", "分前", "分間", "小时", "小時", "時間", "天前", "日前", "日間", "周前", "週前", "週間", "星期前",
    "个月前", "個月前", "个星期", "個星期", "か月前", "ヶ月前", "カ月前", "ヵ月前", "年前", "年間",
];

/// Returns the number of bytes of the word for a span of time at the start of a text.
pub(super) fn length(text: &[u8]) -> Option<usize> {
    let end = text.iter().position(|byte| !byte.is_ascii_alphabetic() && byte.is_ascii()).unwrap_or(text.len());
    // A byte that is not ASCII may be a blank or a sign; the longest words have 22 bytes.
    let word = std::str::from_utf8(&text[..end.min(64)]).or_else(|error| std::str::from_utf8(&text[..error.valid_up_to()]));
    let word = word.unwrap_or_default();
    if let Some(start) = BEGINNINGS.iter().find(|start| word.starts_with(**start)) {
        return Some(start.len());
    }
    let end = word.find(|character: char| !character.is_alphabetic() && !is_mark(character)).unwrap_or(word.len());
    let word = &word[..end];
    (word.len() <= 22 && !word.is_empty() && WORDS.contains(&word.to_lowercase().as_str())).then_some(word.len())
}

/// Returns whether a character is a vowel mark of Arabic.
fn is_mark(character: char) -> bool {
    ('\u{64b}'..='\u{65f}').contains(&character)
}
