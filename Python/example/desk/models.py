from django.core.cache import cache
from django.db import models


class Country(models.Model):
    code = models.CharField(max_length=2, unique=True)
    name = models.CharField(max_length=100)
    calling_code = models.CharField(max_length=10, blank=True)

    class Meta:
        verbose_name_plural = "countries"

    def __str__(self):
        return self.name

    @staticmethod
    def names():
        """All names, from the cache."""
        names = Country.objects.order_by("code").values_list("name", flat=True)
        return cache.get_or_set("countries", lambda: list(names))


class EmailTemplate(models.Model):
    slug = models.SlugField(unique=True)
    subject = models.CharField(max_length=200)
    body = models.TextField()
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self):
        return self.slug


class Prompt(models.Model):
    name = models.CharField(max_length=50, unique=True)
    text = models.TextField()
    template = models.ForeignKey(EmailTemplate, models.CASCADE, related_name="prompts")

    def __str__(self):
        return self.name


class Ticket(models.Model):
    """What the help desk is about. No release has any."""

    title = models.CharField(max_length=200)
    country = models.ForeignKey(Country, models.CASCADE)
    answer = models.ForeignKey(EmailTemplate, models.SET_NULL, null=True, blank=True)

    def __str__(self):
        return self.title
