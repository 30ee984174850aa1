//! Languages that archives name by three letters (ISO 639-3, or 639-2/B), by the two that BCP 47 asks for where there are
//! two (RFC 5646, section 2.2.1).

/// The tag of the first language in a list such as `spa,eng`. Three letters stay where there are no two.
pub(super) fn tag(list: &str) -> Option<String> {
    let first = list.split([',', ';']).map(str::trim).find(|code| !code.is_empty())?.to_ascii_lowercase();
    let is_code = matches!(first.len(), 2 | 3) && first.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_code || matches!(&*first, "und" | "zxx" | "mis" | "mul") {
        return None;
    }
    let known = SHORT.split_ascii_whitespace().find_map(|pair| pair.strip_prefix(&first)?.strip_prefix('='));
    Some(known.map_or(first, str::to_owned))
}

const SHORT: &str = "\
    aar=aa abk=ab afr=af aka=ak alb=sq amh=am ara=ar arb=ar arg=an arm=hy asm=as ava=av ave=ae aym=ay aze=az \
    bak=ba bam=bm baq=eu bel=be ben=bn bis=bi bod=bo bos=bs bre=br bul=bg bur=my cat=ca ces=cs cha=ch che=ce \
    chi=zh chu=cu chv=cv cmn=zh cor=kw cos=co cre=cr cym=cy cze=cs dan=da deu=de div=dv dut=nl dzo=dz ekk=et \
    ell=el eng=en epo=eo est=et eus=eu ewe=ee fao=fo fas=fa fij=fj fin=fi fra=fr fre=fr fry=fy ful=ff geo=ka \
    ger=de gla=gd gle=ga glg=gl glv=gv gre=el grn=gn guj=gu hat=ht hau=ha hbs=sh heb=he her=hz hin=hi hmo=ho \
    hrv=hr hun=hu hye=hy ibo=ig ice=is ido=io iii=ii iku=iu ile=ie ina=ia ind=id ipk=ik isl=is ita=it jav=jv \
    jpn=ja kal=kl kan=kn kas=ks kat=ka kau=kr kaz=kk khm=km kik=ki kin=rw kir=ky kom=kv kon=kg kor=ko kua=kj \
    kur=ku lao=lo lat=la lav=lv lim=li lin=ln lit=lt ltz=lb lub=lu lug=lg lvs=lv mac=mk mah=mh mal=ml mao=mi \
    mar=mr may=ms mkd=mk mlg=mg mlt=mt mon=mn mri=mi msa=ms mya=my nau=na nav=nv nbl=nr nde=nd ndo=ng nep=ne \
    nld=nl nno=nn nob=nb nor=no nya=ny oci=oc oji=oj ori=or orm=om oss=os pan=pa per=fa pes=fa pli=pi pol=pl \
    por=pt pus=ps que=qu roh=rm ron=ro rum=ro run=rn rus=ru sag=sg san=sa sin=si slk=sk slo=sk slv=sl sme=se \
    smo=sm sna=sn snd=sd som=so sot=st spa=es sqi=sq srd=sc srp=sr ssw=ss sun=su swa=sw swe=sv tah=ty tam=ta \
    tat=tt tel=te tgk=tg tgl=tl tha=th tib=bo tir=ti ton=to tsn=tn tso=ts tuk=tk tur=tr twi=tw uig=ug ukr=uk \
    urd=ur uzb=uz ven=ve vie=vi vol=vo wel=cy wln=wa wol=wo xho=xh yid=yi yor=yo zha=za zho=zh zsm=ms zul=zu";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_gets_its_short_tag() {
        for (list, expected) in [
            ("spa", Some("es")),
            ("eng,spa", Some("en")),
            (" DEU , eng", Some("de")),
            ("ceb", Some("ceb")),
            ("fr", Some("fr")),
            ("und", None),
            ("", None),
            ("Spanish", None),
            ("日本", None),
        ] {
            assert_eq!(tag(list).as_deref(), expected, "{list}");
        }
    }

    #[test]
    fn every_pair_is_well_formed_and_in_order() {
        let pairs: Vec<_> = SHORT.split_ascii_whitespace().collect();
        assert!(pairs.is_sorted(), "in the order of the alphabet, so that none is there twice");
        for pair in pairs {
            let (long, short) = pair.split_once('=').expect("a pair");
            assert_eq!((long.len(), short.len()), (3, 2), "{pair}");
        }
    }
}
