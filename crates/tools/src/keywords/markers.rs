//! Words that indicate the intent of a search, in ten languages. Entries are separated by `|`, in lower case, and as people
//! type them: with and without accents.

use super::model::{Intent, QuestionKind as Kind};

/// The markers of one language.
pub(super) struct Markers {
    pub(super) language: &'static str,
    pub(super) questions: &'static [(Kind, &'static str)],
    pub(super) transactional: &'static str,
    pub(super) commercial: &'static str,
    pub(super) informational: &'static str,
}

/// Words for reaching a site. They are used in many languages.
pub(super) const NAVIGATIONAL: &str = "login|log in|sign in|signin|website|homepage|official site|customer service|contact|\
    anmelden|einloggen|kontakt|connexion|se connecter|iniciar sesión|iniciar sesion|accedi|entrar|inloggen|zaloguj|\
    logga in|войти|вход|официальный сайт";

impl Markers {
    /// The markers of each intent, strongest first.
    pub(super) fn by_strength(&self) -> [(Intent, &'static str); 3] {
        [
            (Intent::Transactional, self.transactional),
            (Intent::Commercial, self.commercial),
            (Intent::Informational, self.informational),
        ]
    }
}

/// English if the language has no list, because searches often contain English words.
pub(super) fn for_language(language: &str) -> &'static Markers {
    ALL.iter().find(|markers| markers.language == language).unwrap_or(&ALL[0])
}

const ALL: [Markers; 10] = [
    Markers {
        language: "en",
        questions: &[
            (Kind::How, "how|how's"),
            (Kind::What, "what|what's|whats"),
            (Kind::Why, "why"),
            (Kind::Who, "who|who's|whose"),
            (Kind::When, "when"),
            (Kind::Where, "where|where's"),
            (Kind::Which, "which"),
            (Kind::YesNo, "is|are|can|could|do|does|did|should|will|would|has|have|was|were"),
        ],
        transactional: "buy|purchase|order|price|prices|pricing|cost|costs|cheap|cheapest|discount|coupon|coupons|\
            promo code|deal|deals|sale|for sale|shop|store|near me|delivery|shipping|subscribe|subscription|book|\
            booking|rent|hire|quote|download|free trial|gift card|wholesale",
        commercial: "best|top|review|reviews|vs|versus|compare|comparison|alternative|alternatives|rated|ranking|\
            recommended|affordable|luxury|brands|pros and cons",
        informational: "guide|tutorial|tips|ideas|examples|example|meaning|definition|history|benefits|recipe|recipes|\
            learn|explained|difference|facts|diy|checklist|template|ways to|types of|list of|instructions",
    },
    Markers {
        language: "de",
        questions: &[
            (Kind::How, "wie|wieviel"),
            (Kind::What, "was"),
            (Kind::Why, "warum|wieso|weshalb"),
            (Kind::Who, "wer|wem|wen|wessen"),
            (Kind::When, "wann"),
            (Kind::Where, "wo|wohin|woher"),
            (Kind::Which, "welche|welcher|welches|welchen"),
            (Kind::YesNo, "ist|sind|kann|können|darf|soll|muss|hat|gibt es"),
        ],
        transactional: "kaufen|bestellen|preis|preise|kosten|günstig|guenstig|billig|angebot|angebote|rabatt|gutschein|\
            shop|online shop|lieferung|versand|abo|buchen|mieten|in der nähe|download|herunterladen",
        commercial: "beste|besten|bester|bestes|test|testsieger|vergleich|erfahrung|erfahrungen|bewertung|bewertungen|\
            vs|alternative|alternativen|empfehlung|empfehlungen|marken",
        informational: "anleitung|tipps|ideen|beispiel|beispiele|bedeutung|definition|geschichte|rezept|rezepte|\
            unterschied|vorteile|ratgeber|selber machen|lernen",
    },
    Markers {
        language: "fr",
        questions: &[
            (Kind::How, "comment|combien"),
            (Kind::What, "que|quoi|qu'est|qu'est ce|c'est quoi"),
            (Kind::Why, "pourquoi"),
            (Kind::Who, "qui"),
            (Kind::When, "quand"),
            (Kind::Where, "où|ou trouver"),
            (Kind::Which, "quel|quelle|quels|quelles|lequel|laquelle"),
            (Kind::YesNo, "est ce|est-ce|peut on|peut-on|faut il|faut-il"),
        ],
        transactional: "acheter|achat|commander|prix|tarif|tarifs|coût|cout|pas cher|promo|promotion|réduction|code promo|\
            soldes|boutique|magasin|livraison|abonnement|réserver|louer|devis|près de moi|télécharger",
        commercial: "meilleur|meilleure|meilleurs|meilleures|avis|comparatif|comparaison|test|vs|alternative|\
            alternatives|marques|classement",
        informational: "guide|tutoriel|conseils|astuces|idées|exemple|exemples|définition|signification|histoire|recette|\
            recettes|bienfaits|différence|apprendre",
    },
    Markers {
        language: "es",
        questions: &[
            (Kind::How, "cómo|como|cuánto|cuanto|cuánta|cuanta|cuántos|cuantos"),
            (Kind::What, "qué|que"),
            (Kind::Why, "por qué|por que|porqué"),
            (Kind::Who, "quién|quien|quiénes|quienes"),
            (Kind::When, "cuándo|cuando"),
            (Kind::Where, "dónde|donde"),
            (Kind::Which, "cuál|cual|cuáles|cuales"),
            (Kind::YesNo, "es|son|se puede|puedo|hay"),
        ],
        transactional: "comprar|compra|pedir|precio|precios|coste|costo|barato|barata|baratos|oferta|ofertas|descuento|\
            cupón|tienda|envío|entrega|suscripción|reservar|alquilar|presupuesto|cerca de mí|cerca de mi|descargar",
        commercial: "mejor|mejores|opiniones|opinión|reseña|reseñas|comparativa|comparación|vs|alternativa|alternativas|\
            marcas|ranking",
        informational: "guía|tutorial|consejos|ideas|ejemplo|ejemplos|significado|definición|historia|receta|recetas|\
            beneficios|diferencia|diferencias|aprender|tipos de",
    },
    Markers {
        language: "it",
        questions: &[
            (Kind::How, "come|quanto|quanta|quanti|quante"),
            (Kind::What, "cosa|che cosa|cos'è|che"),
            (Kind::Why, "perché|perche"),
            (Kind::Who, "chi"),
            (Kind::When, "quando"),
            (Kind::Where, "dove|dov'è"),
            (Kind::Which, "quale|quali|qual"),
            (Kind::YesNo, "è|si può|posso|c'è"),
        ],
        transactional: "comprare|acquistare|acquisto|ordinare|prezzo|prezzi|costo|economico|offerta|offerte|sconto|\
            sconti|negozio|spedizione|consegna|abbonamento|prenotare|noleggio|preventivo|vicino a me|scaricare",
        commercial: "migliore|migliori|miglior|recensione|recensioni|opinioni|confronto|vs|alternativa|alternative|\
            marche|classifica",
        informational: "guida|tutorial|consigli|idee|esempio|esempi|significato|definizione|storia|ricetta|ricette|\
            benefici|differenza|imparare|tipi di",
    },
    Markers {
        language: "pt",
        questions: &[
            (Kind::How, "como|quanto|quanta|quantos|quantas"),
            (Kind::What, "o que|o quê|que"),
            (Kind::Why, "por que|por quê|porque|porquê"),
            (Kind::Who, "quem"),
            (Kind::When, "quando"),
            (Kind::Where, "onde|aonde"),
            (Kind::Which, "qual|quais"),
            (Kind::YesNo, "é|pode|posso|tem"),
        ],
        transactional: "comprar|compra|encomendar|preço|preco|preços|valor|custo|barato|barata|oferta|ofertas|promoção|\
            desconto|cupom|loja|entrega|frete|assinatura|reservar|alugar|orçamento|perto de mim|baixar",
        commercial: "melhor|melhores|avaliação|avaliações|opiniões|comparação|comparativo|vs|alternativa|alternativas|\
            marcas|ranking",
        informational: "guia|tutorial|dicas|ideias|exemplo|exemplos|significado|definição|história|receita|receitas|\
            benefícios|diferença|aprender|tipos de",
    },
    Markers {
        language: "nl",
        questions: &[
            (Kind::How, "hoe|hoeveel"),
            (Kind::What, "wat"),
            (Kind::Why, "waarom"),
            (Kind::Who, "wie|wiens"),
            (Kind::When, "wanneer"),
            (Kind::Where, "waar|waarheen"),
            (Kind::Which, "welke|welk"),
            (Kind::YesNo, "is|zijn|kan|kun|mag|moet"),
        ],
        transactional: "kopen|bestellen|prijs|prijzen|kosten|goedkoop|goedkope|aanbieding|aanbiedingen|korting|\
            kortingscode|winkel|webshop|levering|bezorgen|abonnement|boeken|huren|offerte|in de buurt|downloaden",
        commercial: "beste|review|reviews|ervaring|ervaringen|vergelijken|vergelijking|test|vs|alternatief|\
            alternatieven|merken",
        informational: "gids|handleiding|tips|ideeën|voorbeeld|voorbeelden|betekenis|definitie|geschiedenis|recept|\
            recepten|voordelen|verschil|leren|zelf maken",
    },
    Markers {
        language: "pl",
        questions: &[
            (Kind::How, "jak|ile"),
            (Kind::What, "co|czym"),
            (Kind::Why, "dlaczego|czemu"),
            (Kind::Who, "kto|kogo"),
            (Kind::When, "kiedy"),
            (Kind::Where, "gdzie|skąd|dokąd"),
            (Kind::Which, "który|która|które|jaki|jaka|jakie"),
            (Kind::YesNo, "czy"),
        ],
        transactional: "kupić|kup|zamówić|zamów|cena|ceny|cennik|koszt|tani|tanie|tania|promocja|rabat|kupon|sklep|\
            dostawa|wysyłka|abonament|zarezerwować|wynajem|oferta|blisko mnie|pobierz",
        commercial: "najlepszy|najlepsza|najlepsze|opinie|opinia|recenzja|recenzje|porównanie|vs|alternatywa|test|\
            ranking|marki",
        informational: "poradnik|przewodnik|porady|pomysły|przykład|przykłady|znaczenie|definicja|historia|przepis|\
            przepisy|zalety|różnica|rodzaje",
    },
    Markers {
        language: "sv",
        questions: &[
            (Kind::How, "hur"),
            (Kind::What, "vad"),
            (Kind::Why, "varför"),
            (Kind::Who, "vem|vems"),
            (Kind::When, "när"),
            (Kind::Where, "var|vart"),
            (Kind::Which, "vilken|vilket|vilka"),
            (Kind::YesNo, "är|kan|får|ska|finns"),
        ],
        transactional: "köpa|köp|beställa|beställ|pris|priser|kostnad|billig|billigt|billiga|erbjudande|rea|rabatt|\
            rabattkod|butik|leverans|frakt|prenumeration|boka|hyra|offert|nära mig|ladda ner",
        commercial: "bäst|bästa|test|recension|recensioner|omdöme|omdömen|jämför|jämförelse|vs|alternativ|märken",
        informational: "guide|tips|idéer|exempel|betydelse|definition|historia|recept|fördelar|skillnad|lära|olika typer",
    },
    Markers {
        language: "ru",
        questions: &[
            (Kind::How, "как|сколько"),
            (Kind::What, "что|чем"),
            (Kind::Why, "почему|зачем|отчего"),
            (Kind::Who, "кто|кого|кому|чей"),
            (Kind::When, "когда"),
            (Kind::Where, "где|куда|откуда"),
            (Kind::Which, "какой|какая|какое|какие|который"),
            (Kind::YesNo, "можно ли|нужно ли|есть ли|стоит ли"),
        ],
        transactional: "купить|заказать|заказ|цена|цены|стоимость|недорого|дешево|дёшево|скидка|скидки|акция|промокод|\
            магазин|доставка|подписка|забронировать|аренда|рядом|скачать|оптом",
        commercial: "лучший|лучшая|лучшие|лучшее|отзыв|отзывы|обзор|сравнение|сравнить|аналог|аналоги|рейтинг|топ|марки",
        informational: "руководство|инструкция|советы|идеи|пример|примеры|значение|определение|история|рецепт|рецепты|\
            польза|разница|виды|своими руками",
    },
];
